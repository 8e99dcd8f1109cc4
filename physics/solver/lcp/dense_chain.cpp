// See dense_chain.h.
#include "physics/solver/lcp/dense_chain.h"

#include <cmath>

#include "physics/solver/lcp/baraff.h"
#include "physics/solver/lcp/bilateral_newton.h"
#include "physics/solver/lcp/dense_fischer_newton.h"
#include "physics/solver/lcp/dense_lemke.h"
#include "physics/solver/lcp/dual_active_set.h"
#include "physics/solver/lcp/gauss_seidel.h"
#include "physics/solver/lcp/principal_pivoting.h"

namespace tenon::physics {

DenseChain::DenseChain()
    : methods_{std::make_unique<DualActiveSet>(), std::make_unique<DenseLemke>(),
               std::make_unique<PrincipalPivoting>(), std::make_unique<DenseFischerNewton>()},
      frictional_(std::make_unique<GaussSeidel>()) {}

void DenseChain::reserveOwn(int size) {
  for (const auto& method : methods_) method->reserve(size);
  frictional_->reserve(size);
  trial_.resize(size);
  problem_.A.resize(size, size);
  problem_.b.resize(size);
  problem_.joint.reserve(size);
  problem_.mu.reserve(size / 3 + 1);
}

DenseSolver::Attempt DenseChain::attempt(const DenseProblem& scaled, double wanted, Eigen::VectorXd& f) {
  // `scaled` is this object's own and has a tolerance of another unit.
  const double largest = scaled.b.cwiseAbs().maxCoeff();
  problem_ = scaled;
  problem_.tolerance = largest > 0 ? wanted / largest : scaled.tolerance;
  const std::array<DenseSolver*, 4> plain{methods_[0].get(), methods_[1].get(), methods_[2].get(),
                                          methods_[3].get()};
  const std::array<DenseSolver*, 4> cone{methods_[3].get(), methods_[1].get(), frictional_.get(), nullptr};
  Attempt result;
  double best = HUGE_VAL;
  for (DenseSolver* method : scaled.frictional() ? cone : plain) {
    if (method == nullptr || !method->unsupported(scaled).empty()) continue;
    trial_.setZero();
    const DenseReport report = method->solve(problem_, trial_);
    result.iterations += report.iterations;
    if (report.residual < best) {
      best = report.residual;
      f = trial_;
      taken_ = method->name();
    }
    result.reason = report.reason;
    if (report.solved || report.reason == dense_reason::kInfeasible) break;
  }
  return result;
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
