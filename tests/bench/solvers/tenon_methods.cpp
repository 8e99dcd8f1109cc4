// The methods of physics/solver/lcp as contestants.
#include "physics/solver/lcp/baraff.h"
#include "physics/solver/lcp/bilateral_newton.h"
#include "physics/solver/lcp/dense_chain.h"
#include "tests/bench/solvers/contestant.h"
#include "tests/support/dual_active_set.h"

namespace tenon::bench {
namespace {

class TenonMethod : public Contestant {
 public:
  explicit TenonMethod(std::unique_ptr<physics::DenseSolver> solver) : solver_(std::move(solver)) {}

  std::string name() const override { return std::string(solver_->name()); }

  void load(const physics::DenseProblem& problem) override {
    problem_ = &problem;
    f_ = Eigen::VectorXd::Zero(problem.size());
    solver_->reserve(problem.size());
  }

  void solve() override { solver_->solve(*problem_, f_); }

  Eigen::VectorXd forces() const override { return f_; }

 private:
  std::unique_ptr<physics::DenseSolver> solver_;
  const physics::DenseProblem* problem_ = nullptr;
  Eigen::VectorXd f_;
};

}  // namespace

Contestants tenonMethods() {
  using namespace physics;
  Contestants all;
  const auto add = [&](std::unique_ptr<DenseSolver> solver) {
    all.push_back(std::make_unique<TenonMethod>(std::move(solver)));
  };
  add(std::make_unique<DenseChain>());
  add(std::make_unique<tests::DualActiveSet>());
  add(std::make_unique<ExtendedPivoting>());
  add(std::make_unique<DenseLemke>());
  add(std::make_unique<PrincipalPivoting>());
  add(std::make_unique<DenseFischerNewton>());
  add(std::make_unique<BilateralNewton>());
  add(std::make_unique<Baraff>());
  add(std::make_unique<GaussSeidel>(GaussSeidelOptions{.sweeps = 2000}));
  return all;
}

}  // namespace tenon::bench
