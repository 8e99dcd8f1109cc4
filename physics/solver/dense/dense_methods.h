// The engine's inner solvers on a dense problem, and all methods by name.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "physics/math/lemke.h"
#include "physics/solver/dense/factorized_problem.h"
#include "physics/solver/lcp/baraff.h"
#include "physics/solver/linear_solver.h"
#include "physics/solver/solver_name.h"

namespace tenon::physics {

/// An inner solver of the running simulation on A = H Hᵀ (factorized_problem.h). Symmetric positive
/// semidefinite A only.
class FactorizedMethod : public DenseMethod {
 public:
  /// Where a result without friction that the method leaves unsolved is refined on A
  /// (FactorizedProblem::refine, whose rounds count as iterations): nowhere; where its residual is at most
  /// 1e-6 max|b|, as the exchange of rows could else solve the problem instead of the method; everywhere.
  enum class End { plain, refinedNear, refined };

  FactorizedMethod(std::string_view name, std::unique_ptr<LinearSolver> method, End end = End::plain)
      : name_(name), method_(std::move(method)), end_(end) {}

  std::string_view name() const override { return name_; }
  std::string_view unsupported(const DenseProblem& problem) const override;

 protected:
  Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  std::string_view name_;  // a literal
  std::unique_ptr<LinearSolver> method_;
  End end_;
  FactorizedProblem factorized_;
  std::vector<double> y_;
};

/// Lemke's method on the matrix itself: any A, without friction. A joint row is doubled, f = f⁺ − f⁻ with the
/// rows w ≥ 0 and −w ≥ 0, which keeps semidefiniteness. Exponentially many pivots in one order of the rows
/// (K. G. Murty, Computational complexity of complementary pivot methods, 1978) are few in another: where the
/// limit is reached, the reverse order follows.
class MatrixLemke : public DenseMethod {
 public:
  std::string_view name() const override { return "lemke-fixpoint"; }
  std::string_view unsupported(const DenseProblem& problem) const override;

 protected:
  Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  Lemke lemke_;
  PivotedCholesky cholesky_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd b_, x_;
};

/// Several methods in sequence: the answer is the first one that is verified, else the one of the smallest
/// residual, with the iterations of all. Ends early where a method, or Baraff's after the first, has proved
/// that there is no solution. A method that finds A indefinite counts only where no other supports the
/// problem.
class DenseSolver {
 public:
  DenseSolver(std::string_view name, std::vector<std::unique_ptr<DenseMethod>> methods)
      : name_(name), methods_(std::move(methods)) {}

  std::string_view name() const { return name_; }
  /// The reason of the first method, where none supports `problem`.
  std::string_view unsupported(const DenseProblem& problem) const;
  /// As DenseMethod::solve().
  DenseReport solve(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f);

 private:
  std::string_view name_;  // a literal
  std::vector<std::unique_ptr<DenseMethod>> methods_;
  Eigen::VectorXd guess_, trial_;
};

/// Names of makeDenseSolver(), in the order of lists and help texts: those of the running simulation.
inline constexpr std::array<std::string_view, 7> kDenseSolverNames{"proximal-newton",
                                                                   "fischer-newton",
                                                                   "lemke-fixpoint",
                                                                   "bilateral-newton",
                                                                   "gauss-seidel",
                                                                   "baraff",
                                                                   "auto"};

/// Null for an unknown name. `options`: of baraff. `auto` is proximal-newton, then for what it leaves all
/// others, and baraff in two more orders.
std::unique_ptr<DenseSolver> makeDenseSolver(std::string_view name, const BaraffOptions& options = {});

}  // namespace tenon::physics
