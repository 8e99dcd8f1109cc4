// Siconos' solvers (INRIA) as contestants, with their own defaults but for what is said below.
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc3d_Solvers.h>
#include <lcp_cst.h>

#include "tests/bench/solvers/contestant.h"

namespace tenon::bench {
namespace {

/// Pivots at most; the default, 1000, ends some problems of 400 rows early.
constexpr int kPivots = 20000;
/// Iterations of the methods with friction; the defaults, 200 to 20000, end some problems early.
constexpr int kFrictionIterations = 10000;
/// Tolerance of the iterative methods, relative to max|b|.
constexpr double kTolerance = 1e-10;

struct FreeOptions {
  void operator()(SolverOptions* options) const { solver_options_delete(options); }
};
struct FreeMatrix {
  void operator()(NumericsMatrix* matrix) const { NM_free(matrix); }
};

class SiconosMethod : public Contestant {
 public:
  SiconosMethod(std::string name, int id) : name_(std::move(name)), id_(id) {}

  std::string name() const override { return name_; }

  void load(const physics::DenseProblem& problem) override {
    a_ = problem.A;
    b_ = problem.b;
    f_ = w_ = Eigen::VectorXd::Zero(problem.size());
    matrix_.reset(NM_new());
    NM_fill(matrix_.get(), NM_DENSE, problem.size(), problem.size(), a_.data());
    problem_ = {problem.size(), matrix_.get(), b_.data()};
    options_.reset(solver_options_create(id_));
    if (id_ == SICONOS_LCP_LEMKE || id_ == SICONOS_LCP_PIVOT)
      options_->iparam[SICONOS_IPARAM_MAX_ITER] = kPivots;
    options_->dparam[SICONOS_DPARAM_TOL] = kTolerance * problem.b.cwiseAbs().maxCoeff();
  }

  void solve() override {
    int info = 0;
    if (id_ == SICONOS_LCP_LEMKE)
      lcp_lexicolemke(&problem_, f_.data(), w_.data(), &info, options_.get());
    else
      linearComplementarity_driver(&problem_, f_.data(), w_.data(), options_.get());
  }

  Eigen::VectorXd forces() const override { return f_; }

 private:
  // The matrix borrows its entries from a_.
  struct FreeBorrowed {
    void operator()(NumericsMatrix* matrix) const {
      matrix->matrix0 = nullptr;
      NM_free(matrix);
    }
  };

  std::string name_;
  int id_;
  Eigen::MatrixXd a_;
  Eigen::VectorXd b_, f_, w_;
  std::unique_ptr<NumericsMatrix, FreeBorrowed> matrix_;
  std::unique_ptr<SolverOptions, FreeOptions> options_;
  LinearComplementarityProblem problem_{};
};

/// Of contacts with friction, w the relative velocity. The matrix is sparse, as the Newton method and ADMM
/// require.
class SiconosFriction : public Contestant {
 public:
  SiconosFriction(std::string name, int id) : name_(std::move(name)), id_(id) {}

  std::string name() const override { return name_; }

  void load(const physics::DenseProblem& problem) override {
    b_ = problem.b;
    mu_ = problem.mu;
    f_ = w_ = Eigen::VectorXd::Zero(problem.size());
    matrix_.reset(NM_create(NM_SPARSE, problem.size(), problem.size()));
    NM_triplet_alloc(matrix_.get(), problem.A.size());
    for (int j = 0; j < problem.size(); ++j)
      for (int i = 0; i < problem.size(); ++i) NM_entry(matrix_.get(), i, j, problem.A(i, j));
    problem_ = {};
    problem_.dimension = 3;
    problem_.numberOfContacts = static_cast<int>(mu_.size());
    problem_.M = matrix_.get();
    problem_.q = b_.data();
    problem_.mu = mu_.data();
    options_.reset(solver_options_create(id_));
    options_->iparam[SICONOS_IPARAM_MAX_ITER] = kFrictionIterations;
    options_->dparam[SICONOS_DPARAM_TOL] = kTolerance;
  }

  void solve() override { fc3d_driver(&problem_, f_.data(), w_.data(), options_.get()); }

  Eigen::VectorXd forces() const override { return f_; }

 private:
  std::string name_;
  int id_;
  Eigen::VectorXd b_, f_, w_;
  std::vector<double> mu_;
  std::unique_ptr<NumericsMatrix, FreeMatrix> matrix_;
  std::unique_ptr<SolverOptions, FreeOptions> options_;
  FrictionContactProblem problem_{};
};

}  // namespace

Contestants siconosMethods(bool friction) {
  Contestants all;
  if (friction) {
    all.push_back(std::make_unique<SiconosFriction>("Siconos NSGS", SICONOS_FRICTION_3D_NSGS));
    all.push_back(std::make_unique<SiconosFriction>("Siconos NSN_AC", SICONOS_FRICTION_3D_NSN_AC));
    all.push_back(std::make_unique<SiconosFriction>("Siconos ADMM", SICONOS_FRICTION_3D_ADMM));
    return all;
  }
  const auto add = [&](const char* name, int id) {
    all.push_back(std::make_unique<SiconosMethod>(name, id));
  };
  add("Siconos lexicographic Lemke", SICONOS_LCP_LEMKE);
  add("Siconos pivot, Lemke's rule", SICONOS_LCP_PIVOT);
  add("Siconos Newton, Fischer-Burmeister", SICONOS_LCP_NEWTON_FB_FBLSA);
  add("Siconos Newton, min", SICONOS_LCP_NEWTON_MIN_FBLSA);
  return all;
}

}  // namespace tenon::bench
