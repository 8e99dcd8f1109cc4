// Newton's method on the Fischer-Burmeister function.
//
// φ(y, z) = y + z − √(y² + z²) is zero exactly where y ≥ 0, z ≥ 0, y z = 0 (Fischer 1992), so that a
// complementarity problem becomes a system of equations. A bolt in a hole has far more contacts than
// degrees of freedom; there the plain Newton matrix is singular. Hence the smoothed
//     φ_μ(y, z) = y + z − √(y² + z² + 2μ²),
// whose zeros y z = μ² with y, z > 0 form the central path (Kanzow 1996). Each iteration is one damped
// Newton step; μ decreases as fast as the steps allow; and once the touching contacts are identified, the
// Newton method of proximal_newton.h ends it exactly.
//
// With friction the path is that of the cone's Jordan algebra, ŷ ∘ ẑ = μ² e: the zeros of the smoothed
// Fischer-Burmeister function there (M. Fukushima, Z.-Q. Luo, P. Tseng, Smoothing functions for second-order
// cone complementarity problems, SIAM J. Optim. 12, 2002). conic_interior_point.h follows it, and the Newton
// method on Coulomb's law ends it exactly. A guess near the solution is first tried with that method alone:
// the path distributes a load over opposed contacts, such as the flanks of a thread, differently.
#pragma once

#include "physics/solver/conic_interior_point.h"
#include "physics/solver/linear_solver.h"

namespace tenon::physics {

class FischerNewton : public LinearSolver {
 public:
  LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) override;

 private:
  /// Φ_μ at y: fills z_, phi_; returns ‖Φ_μ‖∞ and, in `squared`, |Φ_μ|².
  double evaluate(const ScaledProblem& scaled, const std::vector<double>& y, double mu, double& squared);
  /// Newton direction at the point last evaluated, into step_. False where the matrix is singular.
  bool direction(const ScaledProblem& scaled, const std::vector<double>& y, double mu);

  ProximalNewton newton_;
  ConicPath cones_;
  ConeSystem system_;
  std::vector<double> v_, z_, phi_, step_, trial_;
};

}  // namespace tenon::physics
