// The inner solver of `auto`: linearized contact problems with and without friction.
//
// With friction these methods in order, until the natural residual is within the tolerance:
//   A  the proximal Newton method from the guess (proximal_newton.h): half of all problems end here;
//   B  the interior point method, from the guess and then from zero (conic_interior_point.h), with A from its
//      points as soon as they are near the solution.
// Without friction the problem is a convex quadratic program: the active set method from the guess, then from
// the end of the central path (active_set.h, central_path.h).
//
// All are sparse in the bodies and work in a fixed order of operations. Known limit: problems without a
// solution, such as a clamped body without compliance, cost all attempts.
#pragma once

#include "physics/solver/active_set.h"
#include "physics/solver/central_path.h"
#include "physics/solver/conic_interior_point.h"
#include "physics/solver/linear_solver.h"
#include "physics/solver/proximal_newton.h"

namespace tenon::physics {

/// B with A's finish: follows the central path of Coulomb's law to a solution.
class ConicPath {
 public:
  /// Shift of an interior start from a guess, relative to max |c| [-].
  static constexpr double kWarmShift = 0.1;

  /// From the guess `y` (3 K entries, in and out), moved into the interior by `shift` [√J], to a natural
  /// residual of at most `tolerance` [√J]; `iterations` grows by the factorizations. Where false, `y` is
  /// unchanged and best() the point of the least residual.
  bool follow(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, double shift,
              int& iterations);

  const std::vector<double>& best() const { return best_; }
  double bestResidual() const { return bestResidual_; }

 private:
  /// A from a point of the path.
  bool end(const ScaledProblem& scaled, const std::vector<double>& from, std::vector<double>& y,
           double tolerance, int& iterations);

  ProximalNewton newton_;
  ConicInteriorPoint interior_;
  std::vector<double> best_, trial_;
  double bestResidual_ = 0;
};

class ConeSolver : public LinearSolver {
 public:
  LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) override;

 private:
  bool solveFrictional(const ScaledProblem& scaled, std::vector<double>& y, double tolerance,
                       int& iterations);
  bool solveNormals(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, int& iterations);

  ProximalNewton newton_;
  ConicPath path_;
  ActiveSet activeSet_;
  CentralPath normalPath_;
  std::vector<double> trial_, best_;
};

}  // namespace tenon::physics
