// Bullet's solvers for written-out matrices as contestants: A x = b + w, so that b changes sign.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include "tests/bench/solvers/contestant.h"

namespace tenon::bench {
namespace {

constexpr int kSweeps = 2000;
constexpr double kNoBound = 1e300;

class BulletMethod : public Contestant {
 public:
  BulletMethod(std::string name, std::unique_ptr<btMLCPSolverInterface> solver)
      : name_(std::move(name)), solver_(std::move(solver)) {}

  std::string name() const override { return name_; }

  void load(const physics::DenseProblem& problem) override {
    const int n = problem.size();
    a_.resize(n, n);
    for (btVectorXu* v : {&b_, &f_, &low_, &high_}) v->resize(n);
    none_.resize(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) a_.setElem(i, j, problem.A(i, j));
      b_[i] = -problem.b[i];
      f_[i] = low_[i] = 0;
      high_[i] = kNoBound;
      none_[i] = -1;
    }
  }

  void solve() override { solver_->solveMLCP(a_, b_, f_, low_, high_, none_, kSweeps); }

  Eigen::VectorXd forces() const override {
    return Eigen::VectorXd::NullaryExpr(f_.rows(), [&](Eigen::Index k) { return f_[static_cast<int>(k)]; });
  }

 private:
  std::string name_;
  std::unique_ptr<btMLCPSolverInterface> solver_;
  btMatrixXu a_;
  btVectorXu b_, f_, low_, high_;
  btAlignedObjectArray<int> none_;
};

/// Without the limit on forces beyond which it calls its own solution a failure.
class UnlimitedDantzig : public btDantzigSolver {
 public:
  UnlimitedDantzig() { m_acceptableUpperLimitSolution = kNoBound; }
};

}  // namespace

Contestants bulletMethods() {
  Contestants all;
  auto lemke = std::make_unique<btLemkeSolver>();
  lemke->m_useLoHighBounds = false;
  lemke->m_maxValue = kNoBound;
  all.push_back(std::make_unique<BulletMethod>("Bullet Lemke", std::move(lemke)));
  all.push_back(std::make_unique<BulletMethod>("Bullet Dantzig", std::make_unique<UnlimitedDantzig>()));
  all.push_back(std::make_unique<BulletMethod>("Bullet Gauss-Seidel, 2000 sweeps",
                                               std::make_unique<btSolveProjectedGaussSeidel>()));
  return all;
}

}  // namespace tenon::bench
