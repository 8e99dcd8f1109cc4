// DART's solvers as contestants: A x = b + w, so that b changes sign.
#include <dart/external/odelcpsolver/common.h>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/lcpsolver/Lemke.hpp>
#include <limits>

#include "tests/bench/solvers/contestant.h"

namespace tenon::bench {
namespace {

class DartLemke : public Contestant {
 public:
  std::string name() const override { return "DART Lemke"; }
  void load(const physics::DenseProblem& problem) override {
    problem_ = &problem;
    f_ = Eigen::VectorXd::Zero(problem.size());
  }
  void solve() override { dart::lcpsolver::Lemke(problem_->A, problem_->b, &f_); }
  Eigen::VectorXd forces() const override { return f_; }

 private:
  const physics::DenseProblem* problem_ = nullptr;
  Eigen::VectorXd f_;
};

/// One with bounds: 0 ≤ f, none above. Rows are padded, and it works in place.
class DartBoxed : public Contestant {
 public:
  DartBoxed(std::string name, std::unique_ptr<dart::constraint::BoxedLcpSolver> solver)
      : name_(std::move(name)), solver_(std::move(solver)) {}

  std::string name() const override { return name_; }

  void load(const physics::DenseProblem& problem) override {
    const int n = problem.size();
    a_ = Rows::Zero(n, dPAD(n));
    a_.leftCols(n) = problem.A;
    b_ = -problem.b;
    f_ = low_ = Eigen::VectorXd::Zero(n);
    high_ = Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity());
    none_.assign(n, -1);
  }

  void solve() override {
    solver_->solve(static_cast<int>(b_.size()), a_.data(), f_.data(), b_.data(), 0, low_.data(), high_.data(),
                   none_.data(), false);
  }

  Eigen::VectorXd forces() const override { return f_; }

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::string name_;
  std::unique_ptr<dart::constraint::BoxedLcpSolver> solver_;
  Rows a_;
  Eigen::VectorXd b_, f_, low_, high_;
  std::vector<int> none_;
};

}  // namespace

Contestants dartMethods() {
  Contestants all;
  all.push_back(std::make_unique<DartLemke>());
  all.push_back(std::make_unique<DartBoxed>("DART Dantzig",
                                            std::make_unique<dart::constraint::DantzigBoxedLcpSolver>()));
  auto sweeps = std::make_unique<dart::constraint::PgsBoxedLcpSolver>();
  sweeps->setOption(dart::constraint::PgsBoxedLcpSolver::Option(2000, 1e-14, 1e-14));
  all.push_back(std::make_unique<DartBoxed>("DART Gauss-Seidel, 2000 sweeps", std::move(sweeps)));
  return all;
}

}  // namespace tenon::bench
