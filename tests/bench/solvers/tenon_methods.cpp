// Our methods on dense problems as contestants.
#include "physics/solver/dense/dense_methods.h"
#include "tests/bench/solvers/contestant.h"

namespace tenon::bench {
namespace {

class TenonMethod : public Contestant {
 public:
  explicit TenonMethod(std::unique_ptr<physics::DenseSolver> solver) : solver_(std::move(solver)) {}

  std::string name() const override { return std::string(solver_->name()); }

  void load(const physics::DenseProblem& problem) override {
    problem_ = &problem;
    f_ = Eigen::VectorXd::Zero(problem.size());
  }

  void solve() override { solver_->solve(*problem_, f_); }

  Eigen::VectorXd forces() const override { return f_; }

 private:
  std::unique_ptr<physics::DenseSolver> solver_;
  const physics::DenseProblem* problem_ = nullptr;
  Eigen::VectorXd f_;
};

}  // namespace

Contestants tenonMethods(bool friction) {
  using namespace physics;
  Contestants all;
  for (const std::string_view name : {"auto", "proximal-newton", "fischer-newton", "lemke-fixpoint",
                                      "bilateral-newton", "gauss-seidel", "baraff"})
    if (!friction || name != "baraff") all.push_back(std::make_unique<TenonMethod>(makeDenseSolver(name)));
  return all;
}

}  // namespace tenon::bench
