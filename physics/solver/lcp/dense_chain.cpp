// See dense_chain.h.
#include "physics/solver/lcp/dense_chain.h"

namespace tenon::physics {
namespace {

/// Largest fraction of nonzero entries of A for which the band is exploited.
constexpr double kSparse = 0.4;
/// Sets that the bilateral Newton method may try: five to ten usually suffice, and more are no longer cheap.
constexpr int kFewSets = 40;

bool isSparse(const Eigen::MatrixXd& A) {
  const double maxNonzeros = kSparse * static_cast<double>(A.size());
  double count = 0;
  for (Eigen::Index j = 0; j < A.cols() && count <= maxNonzeros; ++j)
    count += static_cast<double>((A.col(j).array() != 0).count());
  return count <= maxNonzeros;
}

}  // namespace

DenseChain::DenseChain() : bilateral_(kFewSets) {}

void DenseChain::reserve(int size) {
  for (DenseSolver* method :
       Methods{&bilateral_, &baraff_, &extended_, &lemke_, &pivoting_, &newton_, &sweeps_})
    method->reserve(size);
  trial_.resize(size);
}

// True where the search ends: solved, or proved infeasible.
bool DenseChain::solveByAnyOf(Methods methods, const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) {
  for (DenseSolver* method : methods) {
    if (!method->unsupported(problem).empty()) continue;
    trial_.setZero();
    const DenseReport report = method->solve(problem, trial_);
    const int iterations = best_.iterations + report.iterations;
    if (tried_++ == 0 || report.residual < best_.residual) {
      best_ = report;
      f = trial_;
    }
    best_.iterations = iterations;
    best_.reason = report.reason;
    if (report.solved || report.reason == dense_reason::kInfeasible ||
        report.reason == dense_reason::kNotFinite)
      return true;
  }
  return false;
}

DenseReport DenseChain::solve(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) {
  trial_.resize(problem.size());
  best_ = {};
  tried_ = 0;
  if (problem.frictional()) {
    if (solveByAnyOf({&newton_, &lemke_, &sweeps_}, problem, f)) return best_;
  } else {
    if (isSparse(problem.A) && solveByAnyOf({&bilateral_}, problem, f)) return best_;
    const int before = tried_;
    if (solveByAnyOf({&baraff_}, problem, f)) return best_;
    const bool semidefinite = tried_ > before && best_.reason != dense_reason::kIndefinite;
    if (semidefinite && solveByAnyOf({&extended_}, problem, f)) return best_;
    if (solveByAnyOf({&lemke_, &pivoting_, &newton_}, problem, f)) return best_;
    if (!semidefinite && solveByAnyOf({&extended_}, problem, f)) return best_;
  }
  // A reason found in the problem itself is more useful than those of the methods.
  const std::string_view diagnosis = diagnoseSingleRow(problem);
  if (!diagnosis.empty()) best_.reason = diagnosis;
  return best_;
}

std::unique_ptr<DenseSolver> makeDenseSolver(std::string_view name, const BaraffOptions& options) {
  if (name == "fischer-newton") return std::make_unique<DenseFischerNewton>();
  if (name == "lemke-fixpoint") return std::make_unique<DenseLemke>();
  if (name == "bilateral-newton") return std::make_unique<BilateralNewton>();
  if (name == "gauss-seidel") return std::make_unique<GaussSeidel>();
  if (name == "baraff") return std::make_unique<Baraff>(options);
  if (name == "auto") return std::make_unique<DenseChain>();
  return nullptr;
}

}  // namespace tenon::physics
