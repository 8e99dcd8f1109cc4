// ISO metric screw threads: sizes and pitches of ISO 261 and ISO 262, tolerances of ISO 965-1, M3 to M24.
//
// Tolerances follow from the formulas of ISO 965-1, clause 13 (d: geometric mean of the range of diameters,
// d and P in mm, results in µm), rounded to the series R 40 of preferred numbers:
//     pitch diameter, external    T_d2(6) = 90 P^0.4 d^0.1
//     pitch diameter, internal    T_D2(6) = 1.32 T_d2(6)
//     major diameter, external    T_d(6)  = 180 P^(2/3) − 3.15 / √P
//     minor diameter, internal    T_D1(6) = 230 P^0.7, below P = 1: 433 P − 190 P^1.22
// Each grade is a fixed number of steps of R 40 from grade 6. Where rounding differs from the published
// tables, these count (ISO 965-1); the three such values are listed in iso965.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "physics/collision/geometry/thread.h"

namespace tenon::content {

/// Pitches of a nominal diameter [mm]: the coarse one first, then the fine ones in descending order.
struct ThreadSeries {
  double diameter = 0;
  std::span<const double> pitches;
};

/// All sizes of ISO 261, first and second choice, M3 to M24, ascending.
std::span<const ThreadSeries> threadSeries();

/// Nominal diameter and pitch of a thread [m].
struct ThreadSizeAndPitch {
  double diameter = 0, pitch = 0;
};

/// The thread of a designation: "M8" (coarse), "M8x1" or "M8×1" (fine). Empty for other texts; `problem` and
/// `remedy` are then the parts of an error message.
std::optional<ThreadSizeAndPitch> parseThreadSize(std::string_view text, std::string& problem,
                                                  std::string& remedy);

/// "M8" for a coarse pitch of ISO 261, else "M8x1".
std::string threadSizeText(const ThreadSizeAndPitch& size);

/// Limits of a diameter [m].
struct DiameterLimits {
  double low = 0, high = 0;
  /// The diameter at 0 (low) to 1 (high).
  double at(double share) const { return low + share * (high - low); }
};

/// Limits of the diameters that a tolerance class fixes. The root follows from the pitch diameter: see
/// threadBetween().
struct ThreadLimits {
  DiameterLimits crest;  ///< major diameter of an external, minor diameter of an internal thread
  DiameterLimits pitch;
};

/// The supported classes, for messages: "4h, 6h, 6g" or "5H, 6H".
std::string supportedThreadClasses(bool isInternal);

/// Limits of a class ("6g", "6H"); empty for a class or a size that is not supported.
std::optional<ThreadLimits> threadLimits(std::string_view toleranceClass, bool isInternal,
                                         const ThreadSizeAndPitch& size);

/// Thread with the diameters of crest and pitch line at these shares of their limits, 0 to 1. Its roots lie
/// where those of basicThread() lie from its pitch line. Ends and hand are not set.
physics::Thread threadBetween(const ThreadSizeAndPitch& size, bool isInternal, const ThreadLimits& limits,
                              double crestShare, double pitchShare);

}  // namespace tenon::content
