// The dense methods one after the other, and all of them by name.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "physics/solver/lcp/dense_solver.h"

namespace tenon::physics {

/// `auto`: dual active set (where A is symmetric), Lemke, principal pivoting, Fischer-Newton; with friction
/// Fischer-Newton, Lemke on the pyramid, Gauss-Seidel. Takes the first answer that is verified, else the one
/// with the least residual. Ends early where a method has proved that there is no solution. Iterations are
/// those of all methods tried. Cost and failures: those of the first that serves, mostly the dual active set.
class DenseChain : public DenseSolver {
 public:
  DenseChain();
  std::string_view name() const override { return "auto"; }
  std::string_view unsupported(const DenseProblem&) const override { return {}; }

  /// The method whose answer was taken last.
  std::string_view taken() const { return taken_; }

 protected:
  void reserveOwn(int size) override;
  Attempt attempt(const DenseProblem& scaled, double wanted, Eigen::VectorXd& f) override;

 private:
  std::array<std::unique_ptr<DenseSolver>, 4> methods_;
  std::unique_ptr<DenseSolver> frictional_;
  std::string_view taken_;
  Eigen::VectorXd trial_;
  DenseProblem problem_;
};

/// Names that makeDenseSolver() knows, in the order in which they are listed to people: the methods of the
/// running simulation, and `auto`.
inline constexpr std::array<std::string_view, 6> kDenseSolverNames{
    "fischer-newton", "lemke-fixpoint", "bilateral-newton", "gauss-seidel", "baraff", "auto"};

/// Null for an unknown name.
std::unique_ptr<DenseSolver> makeDenseSolver(std::string_view name);

}  // namespace tenon::physics
