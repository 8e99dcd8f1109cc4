// Newton's method on contacts treated as bilateral: the inner solver of bilateral-newton.
#pragma once

#include <cstdint>

#include "physics/solver/cone_system.h"
#include "physics/solver/linear_solver.h"
#include "physics/solver/proximal_newton.h"

namespace tenon::physics {

/// Solves z_S = 0 for a set S of active contacts as if they were joints; removes those whose force is
/// negative, else adds those that are violated, and repeats: the baseline of G. Hotz, A. Kerzmann, C.
/// Lennerz, R. Schmid, E. Schömer, T. Warken, Calculation of Contact Forces, Saarland University. Inside
/// PositionIteration, which re-evaluates the distances, it is their Newton-Raphson on δ(σ(f)) = 0.
///
/// S begins with the contacts that the guess loads, else with those that u_free violates. Whole exchanges may
/// return to an earlier set: that is detected, and from there single contacts change sides, the most violated
/// first; should that return to a set too, the first violated one (K. G. Murty, Note on a Bard-type scheme
/// for solving the complementarity problem, Opsearch 11, 1974), which is finite for every compliant problem
/// but may be slow; hence kMaxSets.
///
/// With friction: Coulomb's law by the semismooth Newton method of proximal_newton.h, from the guess, then
/// from where all active contacts stick, then from where none has friction; without continuation, so that
/// from a cold start it often fails where contacts slide.
class BilateralContacts : public LinearSolver {
 public:
  LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) override;

  /// Sets tried for one problem.
  static constexpr int kMaxSets = 300;

 private:
  enum class End {
    solved,   ///< the residual is at most the tolerance
    rounded,  ///< S is right, but rounding leaves more
    failed,   ///< no S was found
  };
  /// Finds S and the forces f_ on it without friction.
  End settleNormals(const ScaledProblem& scaled, double tolerance, int& iterations);
  bool solveActive(const ScaledProblem& scaled);
  void treatAsJoints(const ScaledProblem& scaled, bool sticking, double leastCompliance);
  /// Which violated contacts change sides.
  enum class Rule { all, mostViolated, first };
  bool exchange(double tolerance, Rule rule);
  bool wasVisited();
  /// y where the contacts in S neither separate nor slide.
  bool stick(const ScaledProblem& scaled, std::vector<double>& y);
  LinearReport solveFrictional(const ScaledProblem& scaled, std::vector<double>& y, double tolerance);

  ConeSystem cones_;
  ProximalNewton coulomb_;
  std::vector<char> isActive_;
  std::vector<std::uint64_t> visited_;
  std::vector<double> x_, v_;
  std::vector<double> f_, z_;  ///< forces and distances without friction [√J]
};

}  // namespace tenon::physics
