// What a person may ask of the contact solvers beyond their name.
#pragma once

#include "physics/solver/lcp/baraff_options.h"

namespace tenon::physics {

/// When gauss-seidel stops short of its tolerance. Of each linearised problem; whichever comes first.
struct SweepOptions {
  int sweeps = 0;      ///< after so many; 0: goes on to its tolerance, or gives up
  double change = 0;   ///< where no force changed by more in a sweep, of the largest [-]; 0: off
  double time_us = 0;  ///< after so long [µs]; 0: off. Results then depend on the machine.
};

/// What baraff adds to the accelerations that contacts must not be left with, so that errors of earlier steps
/// end. δ: distance, w: speed of parting, both at the start of the step.
enum class ExtraAcceleration {
  none,                       ///< nothing: what drifts goes on drifting
  velocity,                   ///< approaches end in this step: w/Δt, and what is left of the way to touching
  velocityAndDistance,        ///< and so do overlaps: the distance at the end of the step is what is ≥ 0
  velocityJoints,             ///< as `velocity`, of joints alone
  velocityAndDistanceJoints,  ///< as `velocityAndDistance`, of joints alone
};

/// Who is asked where the chosen solver fails.
enum class FallbackSolver {
  automatic,    ///< fischer-newton, then lemke-fixpoint
  gaussSeidel,  ///< gauss-seidel before these
};

/// Options of all contact solvers; a solver reads its own.
struct SolverOptions {
  SweepOptions gaussSeidel{};  ///< when gauss-seidel stops
  BaraffOptions baraff{};      ///< order of baraff's contacts
  /// What baraff adds to accelerations.
  ExtraAcceleration extraAcceleration = ExtraAcceleration::velocityAndDistance;
  /// Which solver takes over if the selected one fails.
  FallbackSolver fallbackSolver = FallbackSolver::automatic;
};

}  // namespace tenon::physics
