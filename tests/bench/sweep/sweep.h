// The stability sweep: a hand puts pegs into bores of every clearance, friction, rate and misalignment, and
// in every step what must hold is checked by geometry and energy that call no engine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/assess/goal_watch.h"

namespace tenon::bench {

/// Parameters of content/scenes/insertion-benchmark.json and the rate; a function of seed and number alone.
struct SweepCase {
  std::uint64_t seed = 0;
  int number = 0;
  double clearance_um = 0;  ///< −20…1000, most spread evenly over its logarithm
  double friction = 0;      ///< 0…0.5, a fifth of all exactly 0
  double rate = 0;          ///< 90…2000 [Hz], spread evenly over its logarithm
  double tilt_deg = 0;      ///< 0…5
  double offset_mm = 0;     ///< as far to either side as the chamfer catches
};

SweepCase sweepCase(std::uint64_t seed, int number);

/// `tenon run` of the case.
std::string commandOf(const SweepCase& which);

/// Overlap that is let pass, whether the peg fits or not [m].
inline constexpr double kSweepPenetration = 10e-9;

struct SweepOutcome {
  SweepCase which;
  runtime::Verdict verdict = runtime::Verdict::pending;
  double penetration = 0;  ///< worst at the end of any step, exact geometry [m]
  double push = 0;         ///< peak [N]
  /// Largest excess of kinetic and elastic energy over the work of the hand so far, relative to the
  /// work done in all, done and undone [-]; what is not positive is right.
  double energyExcess = -1;
  int steps = 0, notConverged = 0;
  int backedOff = 0;                  ///< steps in which the peg moved only a fraction of its displacement
  std::vector<std::string> failures;  ///< each kind once, with the step where it came first
};

/// Runs the case to the scene's end, or to the first state that is not finite. Checks at the end of every
/// step that
/// - everything is finite;
/// - the peg overlaps the block by no more than `penetration`;
/// - it is not in the block's material, and its tip does not leave the bore sideways;
/// - kinetic energy and that of the hand's spring are no more than the work of the moving hand so far:
///   contacts and dampers only take, and so does the implicit step.
/// And at the end that the push stayed finite and of the hand's size, and that a peg larger than its bore was
/// held: verdict blocked or jammed.
SweepOutcome runSweepCase(const SweepCase& which, double penetration = kSweepPenetration);

}  // namespace tenon::bench
