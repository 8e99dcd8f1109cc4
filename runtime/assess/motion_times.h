// Normal times of the basic motions of MTM-1 (methods-time measurement), as published.
//
// Sources: H. B. Maynard, G. J. Stegemerten, J. L. Schwab, Methods-Time Measurement, McGraw-Hill 1948; the
// same tables in M. P. Groover, Work Systems, table 14.4. Distances between the rows of a table are
// interpolated linearly, beyond its end extended by the published time for each further inch. A normal time
// is that of an experienced person at 100 % performance, without allowances.
#pragma once

namespace tenon::runtime {

/// Time measurement unit of methods-time measurement (MTM) [s]: 10⁻⁵ h.
inline constexpr double kTmu = 0.036;

enum class ReachCase {
  A,  ///< to an object in a fixed place or in the other hand
  B,  ///< to a single object whose place varies a little
  C,  ///< to an object among others
  D,  ///< to a very small object
  E,  ///< to an indefinite place
};

enum class MoveCase {
  A,  ///< against a stop or to the other hand
  B,  ///< to an approximate place
  C,  ///< to an exact place
};

/// Class of a fit for position and disengage.
enum class FitClass {
  loose,  ///< no pressure required
  close,  ///< light pressure
  exact,  ///< heavy pressure; of disengage: tight
};

/// In how many orientations about the axis a part fits.
enum class Symmetry {
  symmetric,      ///< S: any
  semisymmetric,  ///< SS: several
  nonsymmetric,   ///< NS: one
};

/// Reach over `distance`, the length of the hand's path [m]; in TMU.
double reachTime(ReachCase motion, double distance);
/// Move over `distance` [m] of a part whose effective net weight, that on one hand, is `mass` [kg]; in TMU.
double moveTime(MoveCase motion, double distance, double mass);
/// Turn by `angle`, at most half a turn, of a part of this weight [rad], [kg]; in TMU. 0 below 15°.
double turnTime(double angle, double mass);
/// Position of a part that is easy to handle, up to kInsertion deep; in TMU.
double positionTime(FitClass fit, Symmetry symmetry);
/// Disengage of a part that is easy to handle; in TMU.
double disengageTime(FitClass fit);

/// Depth of an insertion that belongs to a position: one inch [m].
inline constexpr double kInsertion = 0.0254;

// Other basic motions [TMU].
inline constexpr double kGraspTime = 2.0;       ///< G1A: a single object, easily grasped
inline constexpr double kSmallGraspTime = 3.5;  ///< G1B: a very small object
inline constexpr double kTransferTime = 5.6;    ///< G3: from one hand to the other
inline constexpr double kReleaseTime = 2.0;     ///< RL1: by opening the fingers
inline constexpr double kPressureTime = 10.6;   ///< APA: apply pressure

}  // namespace tenon::runtime
