// The one interface of all contact solvers.
//
// A solver is a function of a ContactProblem and of its own workspace, independent of bodies, shapes and
// collision detection. Its report is computed from re-evaluated distances.
#pragma once

#include <memory>
#include <vector>

#include "physics/contact/contact_problem.h"
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

  /// True if the row carries force. Friction without a normal force remains where FrozenFriction's contact
  /// separates.
  bool acts(std::size_t k) const { return f[k] > 0 || !friction[k].isZero(0); }
};

struct SolveReport {
  bool solved =
      false;  ///< within tolerance, on the distances of the state reached (baraff: on accelerations)
  bool answered = false;   ///< its forces solve their linearized problem
  int linearizations = 0;  ///< calls of linearize()
  int iterations = 0;      ///< inner iterations or pivots, over all linearizations
  double residual = 0;     ///< natural residual at the state reached [N] (baraff: on accelerations)
  double penetration = 0;  ///< overlap at the state reached [m], and beyond a joint's limit [m or rad]

  double jointError = 0;  ///< largest |φ| of the joints there [m or rad]
  /// Fraction of the displacement Δt u that the bodies move [-]; 1 unless the step failed (SolverChain).
  double fraction = 1;
  bool compliant = false;  ///< its last linearized problem was solved with contacts that yield (LinearReport)
  int innerFailures = 0;   ///< linearized problems that this method did not solve
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
