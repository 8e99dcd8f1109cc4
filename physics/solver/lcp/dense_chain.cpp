// See dense_chain.h.
#include "physics/solver/lcp/dense_chain.h"

#include "physics/solver/lcp/baraff.h"
#include "physics/solver/lcp/bilateral_newton.h"

namespace tenon::physics {

void DenseChain::reserve(int size) {
  for (DenseSolver* method : Methods{&dual_, &extended_, &lemke_, &pivoting_, &newton_, &sweeps_})
    method->reserve(size);
  trial_.resize(size);
}

// True where the search is over: solved, or known to be in vain.
bool DenseChain::solveByAnyOf(Methods methods, const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) {
  for (DenseSolver* method : methods) {
    if (!method->unsupported(problem).empty()) continue;
    trial_.setZero();
    const DenseReport report = method->solve(problem, trial_);
    const int iterations = best_.iterations + report.iterations;
    if (!tried_ || report.residual < best_.residual) {
      best_ = report;
      f = trial_;
      taken_ = method->name();
    }
    tried_ = true;
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
  tried_ = false;
  if (problem.frictional()) {
    if (solveByAnyOf({&newton_, &lemke_, &sweeps_}, problem, f)) return best_;
  } else {
    if (solveByAnyOf({&dual_}, problem, f)) return best_;
    const bool semidefinite = tried_ && best_.reason != dense_reason::kIndefinite;
    if (semidefinite && solveByAnyOf({&extended_}, problem, f)) return best_;
    if (solveByAnyOf({&lemke_, &pivoting_, &newton_}, problem, f)) return best_;
    if (!semidefinite && solveByAnyOf({&extended_}, problem, f)) return best_;
  }
  // Of the reasons of several methods, what a row tells of the problem itself is the most useful.
  const std::string_view told = toldByOneRow(problem);
  if (!told.empty()) best_.reason = told;
  return best_;
}

std::unique_ptr<DenseSolver> makeDenseSolver(std::string_view name) {
  if (name == "fischer-newton") return std::make_unique<DenseFischerNewton>();
  if (name == "lemke-fixpoint") return std::make_unique<DenseLemke>();
  if (name == "bilateral-newton") return std::make_unique<BilateralNewton>();
  if (name == "gauss-seidel") return std::make_unique<GaussSeidel>();
  if (name == "baraff") return std::make_unique<Baraff>();
  if (name == "auto") return std::make_unique<DenseChain>();
  return nullptr;
}

}  // namespace tenon::physics
