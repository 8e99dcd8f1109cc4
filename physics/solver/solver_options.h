// Options of the contact solvers, beside the choice of one.
#pragma once

#include <string_view>

#include "physics/solver/lcp/baraff_options.h"

namespace tenon::physics {

/// When gauss-seidel stops before its tolerance, in each linearized problem; whichever comes first.
struct SweepOptions {
  int sweeps = 0;      ///< number of sweeps; 0: until its tolerance, or kMaxSweeps
  double change = 0;   ///< largest change of a force in a sweep, relative to the largest force [-]; 0: off
  double time_us = 0;  ///< time limit [µs]; 0: off. Results then depend on the machine.
};

/// Extra acceleration that baraff removes at contacts and joints, so that errors of earlier steps do not
/// persist. δ: distance, w: separation speed, both at the start of the step.
enum class ExtraAcceleration {
  none,                       ///< none: drift is not corrected
  velocity,                   ///< approaches end in this step: w/Δt, plus the remaining gap
  velocityAndDistance,        ///< so do overlaps: the distance at the end of the step is ≥ 0
  velocityJoints,             ///< as `velocity`, for joints alone
  velocityAndDistanceJoints,  ///< as `velocityAndDistance`, for joints alone
};

/// Solvers tried where the selected one fails.
enum class FallbackSolver {
  automatic,    ///< proximal-newton
  gaussSeidel,  ///< gauss-seidel before it
};

/// To which distances `auto` solves islands; all other solvers are exact. The choice of the person who runs
/// the simulation: no number of bodies changes it.
enum class Accuracy {
  exact,  ///< kPenetrationTolerance and kGapTolerance, in islands of any size
  fast,   ///< kFastPenetration in islands of several bodies without joints, by AndersonGaussSeidel
};

constexpr std::string_view toText(Accuracy accuracy) {
  return accuracy == Accuracy::fast ? "fast" : "exact";
}

/// Options of all contact solvers; a solver reads its own.
struct SolverOptions {
  Accuracy accuracy = Accuracy::exact;  ///< of `auto`
  SweepOptions gaussSeidel{};           ///< when gauss-seidel stops
  BaraffOptions baraff{};               ///< order of baraff's contacts
  /// What baraff adds to accelerations.
  ExtraAcceleration extraAcceleration = ExtraAcceleration::velocityAndDistance;
  /// Which solver takes over if the selected one fails.
  FallbackSolver fallbackSolver = FallbackSolver::automatic;
};

}  // namespace tenon::physics
