// What one step has to say about its numerics. Numerics never throw: they report, and each field
// says what to change.
#pragma once

#include <array>
#include <cstddef>

#include "physics/solver/solver_name.h"
#include "physics/solver/solver_statistics.h"

namespace tenon::physics {

/// Accuracy, effort and failures of one step.
struct StepReport {
  /// False: some island's contacts were not settled to tolerance, or a body moved further than it was
  /// searched for contacts; the state is still finite and the least bad found. Lower the time step, or look
  /// for parts that cannot fit (interference).
  /// Islands of more than 32 bodies are settled to less than others (kLargeIslandPenetration): `penetration`
  /// tells. With baraff: that accelerations and forces are as they must be. It promises nothing of distances:
  /// `penetration` tells those.
  bool converged = true;
  /// Bodies whose next state is no finite number: they stay where they are, and the world's further motion
  /// means nothing. Lower the time step, forces or speeds; a run ends with it.
  int notFinite = 0;
  int stopped = 0;         ///< islands that no solver settled and whose bodies were stopped where they were
  int islands = 0;         ///< groups of bodies coupled by contacts
  int contacts = 0;        ///< contacts in the linearisations that were solved, over all islands
  int linearizations = 0;  ///< times distances were asked for, all solvers together, worst island.
                           ///< Many: lower the time step
  int iterations = 0;      ///< inner iterations or pivots, sum over islands
  /// Natural residual ‖min(f, δ/(Δt² A_kk))‖∞ of the accepted forces on the distances they lead to
  /// [N], worst island. With baraff on the accelerations that it promises, ‖min(f, a/A_kk)‖∞.
  double residual = 0;
  /// Worst overlap at the end of the step, from the shapes themselves [m]; 0 where none.
  double penetration = 0;
  /// Solver that settled the largest island; `automatic` where nothing touched.
  SolverName solver = SolverName::automatic;
  /// How often a solver had to give up and hand over to the next, by the solver that gave up
  /// (index: SolverName). Not an error: the result was verified all the same.
  std::array<int, kSolverNames.size()> fallbacks{};
  SolverStatistics statistics{};  ///< over all islands
};

}  // namespace tenon::physics
