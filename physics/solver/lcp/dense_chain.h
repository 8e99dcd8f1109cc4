// The dense methods in a sequence of fallbacks, and each of them by name.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "physics/solver/lcp/baraff.h"
#include "physics/solver/lcp/bilateral_newton.h"
#include "physics/solver/lcp/dense_fischer_newton.h"
#include "physics/solver/lcp/dense_lemke.h"
#include "physics/solver/lcp/extended_pivoting.h"
#include "physics/solver/lcp/gauss_seidel.h"
#include "physics/solver/lcp/principal_pivoting.h"

namespace tenon::physics {

/// `auto`: where most entries of A are zero (bodies that touch only their neighbors) first the bilateral
/// Newton method, a few sets, as it costs little there. Where A is symmetric and positive semidefinite,
/// Baraff and then principal pivoting in extended precision; then, and for any other A, Lemke, principal
/// pivoting and Fischer-Newton (and extended precision last). With friction Fischer-Newton, Lemke on the
/// pyramid, Gauss-Seidel. Each method gets the problem as given. The answer is the first one that is
/// verified, else the one with the smallest residual. Ends early where a method has proved that there is no
/// solution. Iterations are those of all methods tried. Cost and failures: those of the first method that
/// succeeds, usually Baraff.
class DenseChain : public DenseSolver {
 public:
  DenseChain();
  std::string_view name() const override { return "auto"; }
  std::string_view unsupported(const DenseProblem&) const override { return {}; }
  void reserve(int size) override;
  DenseReport solve(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) override;

 private:
  using Methods = std::initializer_list<DenseSolver*>;
  bool solveByAnyOf(Methods methods, const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f);

  BilateralNewton bilateral_;
  Baraff baraff_;
  ExtendedPivoting extended_;
  DenseLemke lemke_;
  PrincipalPivoting pivoting_;
  DenseFischerNewton newton_;
  GaussSeidel sweeps_;
  DenseReport best_;  // of smallest residual, with the reason of the last and the iterations of all
  int tried_ = 0;     // methods tried so far
  Eigen::VectorXd trial_;
};

/// Names for makeDenseSolver(), in the order of lists and help texts: the methods of the
/// running simulation, and `auto`.
inline constexpr std::array<std::string_view, 6> kDenseSolverNames{
    "fischer-newton", "lemke-fixpoint", "bilateral-newton", "gauss-seidel", "baraff", "auto"};

/// Null for an unknown name. `options`: of baraff.
std::unique_ptr<DenseSolver> makeDenseSolver(std::string_view name, const BaraffOptions& options = {});

}  // namespace tenon::physics
