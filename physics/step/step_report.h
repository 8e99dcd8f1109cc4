// Numerical quality of one step. Numerics never throw: they report, and each field says what to change if its
// value is bad.
#pragma once

#include <array>
#include <cstddef>

#include "physics/solver/solver_name.h"
#include "physics/solver/solver_options.h"
#include "physics/solver/solver_statistics.h"

namespace tenon::physics {

/// Accuracy, effort and failures of one step.
struct StepReport {
  /// False: the contacts of an island were not solved to tolerance, or a body moved further than its search
  /// margin. The state is still finite, and the best one found. Lower the time step, or look for parts that
  /// cannot fit (interference).
  /// With `accuracy` fast the tolerance is kFastPenetration; see `penetration`.
  /// With baraff: accelerations and forces are solved. The method does not control distances; see
  /// `penetration`.
  bool converged = true;
  /// The coarsest accuracy with which an island was solved.
  Accuracy accuracy = Accuracy::exact;
  /// Number of bodies whose next state was not finite: they keep their state, and all further motion is
  /// invalid. Lower the time step, forces or speeds; a run ends with it.
  int notFinite = 0;
  /// Islands that no solver solved and whose bodies therefore moved only a fraction of their displacement;
  /// they keep their velocities. Lower the time step, or look for parts that cannot fit.
  int backedOff = 0;
  double fraction = 1;  ///< the smallest such fraction [-]; 1: every body moved as it should
  /// Islands whose rigid contacts have no solution, as where a part is clamped between others: their contacts
  /// yield, so that forces stay bounded. Check the fits, or give the materials a stiffness.
  int yielding = 0;
  /// Equal intervals of time into which the step was divided because it could not be solved as a whole; 1: it
  /// was. Forces are means over them.
  int substeps = 1;
  int islands = 0;   ///< groups of bodies coupled by contacts
  int contacts = 0;  ///< contacts in the solved linearizations, over all islands
  /// Pairs whose motion was swept by conservative advancement, in all attempts of the step: they move further
  /// than half the thinner body, and their bounds meet on the way. 0 in a world of slow bodies.
  int sweptPairs = 0;
  int sweptContacts = 0;  ///< contacts found between start and end of the step
  /// Bodies that kept their poses in this step because they met others again and again on their paths; their
  /// velocities go on. Lower the time step.
  int heldBack = 0;
  /// Islands whose solution would have gained energy and that got the velocities of the impact stage instead
  /// (model.md, impacts). Many: lower the time step.
  int energyGuarded = 0;
  /// Collision queries of all solvers together, maximum over islands, sum over substeps and the attempt
  /// before them. Many: lower the time step.
  int linearizations = 0;
  int iterations = 0;  ///< inner iterations or pivots, sum over islands
  /// Natural residual ‖min(f, δ/(Δt² A_kk))‖∞ of the accepted forces and the distances they lead to [N],
  /// maximum over islands. With baraff, of its accelerations: ‖min(f, a/A_kk)‖∞.
  double residual = 0;
  /// Largest overlap at the end of the step, computed from the shapes [m]; 0: none.
  double penetration = 0;
  /// Solver whose answer the largest island has; `automatic` if there were no contacts.
  SolverName solver = SolverName::automatic;
  /// Number of fallbacks from a failed solver to the next, by the failed one (index: SolverName). Not an
  /// error: the result of the next one was verified.
  std::array<int, kSolverNames.size()> fallbacks{};
  SolverStatistics statistics{};  ///< over all islands

  /// Adds the work of an attempt before this one, whose result was dropped.
  void addEffort(const StepReport& dropped);
  /// Adds what the substeps of this step before this one report.
  void addSubsteps(const StepReport& before);
};

}  // namespace tenon::physics
