// The one interface of all contact solvers.
//
// A solver is a function of a ContactProblem and of its own workspace, independent of bodies, shapes and
// collision detection. Its report is computed from re-evaluated distances.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "physics/contact/contact_problem.h"
#include "physics/math/nan_max.h"
#include "physics/math/tolerances.h"
#include "physics/solver/solver_name.h"
#include "physics/solver/solver_options.h"
#include "physics/solver/solver_statistics.h"

namespace tenon::physics {

/// Velocities and forces; in, a warm start; out, the solution.
struct ContactSolution {
  std::vector<double> u;           ///< 6n [m/s, rad/s]
  std::vector<double> f;           ///< K normal forces [N], of the rows in `solved`
  std::vector<Vector3d> friction;  ///< K tangential forces on body j, world axes [N]
  /// The linearization that f belongs to. After a solve, the problem's own rows are those of the
  /// accepted state.
  std::vector<ContactRow> solved;
  /// Compliance with which each of these rows was posed [m/N]; that in `solved` is what it was solved with.
  std::vector<double> posedCompliance;
};

/// Residuals of a solution's forces on the distances of the state they lead to (residuals.h); infinite before
/// any state was reached.
struct Residuals {
  bool solved = false;    ///< the state is within tolerances.h (baraff: its accelerations are)
  bool answered = false;  ///< the forces solve their linearized problem
  /// That problem was solved with contacts that yield (LinearReport).
  bool compliant = false;
  double penetration = std::numeric_limits<double>::infinity();  ///< [m]; of a joint's limit [m or rad]
  double gap = std::numeric_limits<double>::infinity();          ///< worst |δ| of a contact with force [m]
  /// The same of contacts with more than kSignificantForce whose own feature is still found, or whose parts
  /// have no contact any more.
  double significantGap = std::numeric_limits<double>::infinity();
  /// Worst overlap or gap of contacts between rigid materials [m]: those of compliant ones change forces
  /// less.
  double rigidError = std::numeric_limits<double>::infinity();
  double jointError = std::numeric_limits<double>::infinity();  ///< largest |φ| of a joint [m or rad]
  Accuracy accuracy = Accuracy::exact;                          ///< whose limits count

  double size() const { return nanMax(nanMax(penetration, countedGap()), jointError); }
  /// Largest violation of the state without regard to forces [m or rad].
  double violation() const { return nanMax(penetration, jointError); }
  /// No part overlaps by more than the limit.
  bool isWithinPenetrationLimit() const {
    return penetration <= (accuracy == Accuracy::fast ? kFastPenetration : kAcceptedPenetration);
  }
  /// The order in which trials of a solver, and solvers of the chain, replace each other. Forces that do not
  /// solve their problem may throw bodies apart and leave no overlap.
  bool betterThan(const Residuals& other) const {
    if (solved != other.solved) return solved;
    if (answered != other.answered) return answered;
    return isWithinPenetrationLimit() != other.isWithinPenetrationLimit() ? isWithinPenetrationLimit()
                                                                          : size() < other.size();
  }

 private:
  double countedGap() const { return accuracy == Accuracy::fast ? significantGap : gap; }
};

/// The state reached, and the work for it.
struct SolveReport : Residuals {
  int linearizations = 0;  ///< calls of linearize()
  int iterations = 0;      ///< inner iterations or pivots, over all linearizations
  double residual = 0;     ///< natural residual at the state reached [N] (baraff: on accelerations)
  /// Fraction of the displacement Δt u that the bodies move [-]; 1 unless the step failed (SolverChain).
  double fraction = 1;
  int innerFailures = 0;  ///< linearized problems that this method did not solve
  SolverStatistics statistics{};
};

/// Forces of the last step by contact, for the warm start. Sorted by key.
struct WarmForce {
  ContactKey key;
  double f = 0;                          ///< normal [N]
  Vector3d friction = Vector3d::Zero();  ///< tangential, on body j, world axes [N]
  Vector3d p = Vector3d::Zero();         ///< where it acted [m]
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  virtual SolverName name() const = 0;

  /// Solves `problem`, linearized at its `predicted`, from the forces `warm`. `solution` is always finite: on
  /// failure it is the best state found. Allocates only while its workspace grows.
  virtual SolveReport solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                            ContactSolution& solution) = 0;
};

/// A solver by name, without fallback solvers; `automatic` gives proximal-newton.
std::unique_ptr<ContactSolver> makeContactSolver(SolverName name, const SolverOptions& options = {});

}  // namespace tenon::physics
