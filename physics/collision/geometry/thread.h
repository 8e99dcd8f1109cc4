// Screw threads as plain values: the profile of ISO 68-1 along a helix about z.
//
// With pitch P, n starts and lead L = n P, h = ± L / 2π (left-handed: −). The middle of a tooth of start k is
// at z = h (θ − phase) + k P. In the axial section its half width is P/4 at the pitch radius, and its flanks
// are inclined by the half angle β (30° for metric threads):
//     external  |z − z_middle| ≤ P/4 − tan β (ρ − r_p),   r_minor ≤ ρ ≤ r_major,
//     internal  |z − z_middle| ≤ P/4 + tan β (ρ − r_p),   r_minor ≤ ρ ≤ r_major.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace tenon::physics {

/// Cone at one end of a thread, at which the first turn is incomplete: the chamfer of a bolt's tip, the
/// countersink of a nut. It leads from `radius` at the end face to the crests. No length: none, the end is a
/// plane.
struct ThreadEnd {
  double radius = 0;  ///< at the end face [m]
  double length = 0;  ///< along z [m]
};

/// A thread between z = low and z = high. External: a core up to the minor diameter with the teeth on it.
/// Internal: the teeth in the bore of a part, which ends at the major diameter.
struct Thread {
  bool isInternal = false;   ///< teeth in a bore, as a nut's; otherwise on a core, as a bolt's
  double pitch = 0;          ///< P, between neighboring teeth [m]
  double majorDiameter = 0;  ///< of the crests of an external thread, of the roots of an internal one [m]
  double pitchDiameter = 0;  ///< where teeth and grooves are equally wide [m]
  double minorDiameter = 0;  ///< of the roots of an external thread, of the crests of an internal one [m]
  double halfAngle =
      0.52359877559829887;          ///< β, between a flank and a plane across the axis [rad]; default 30°
  int starts = 1;                   ///< n, 1 to kMaxStarts
  bool isLeftHanded = false;        ///< advances along -z when turned counter-clockwise about z
  double phase = 0;                 ///< angle of the middle of tooth 0 at z = 0 [rad]
  double low = 0;                   ///< end along z [m]
  double high = 0;                  ///< end along z, above `low` [m]
  std::array<ThreadEnd, 2> ends{};  ///< at low and at high

  /// Advance per turn, negative if left-handed [m].
  double lead() const { return (isLeftHanded ? -pitch : pitch) * starts; }
};

/// Limits from the bits of a contact's feature.
inline constexpr int kMaxStarts = 4;
inline constexpr double kMaxTurns = 200;  ///< length / lead

struct SolidOfRevolution;

/// The thread as a solid of revolution with grooves: in pairs other than external with internal thread its
/// contacts are those of its blank, with the grooves filled. An internal thread is a ring
/// between minor and major diameter. Not for threads with a problem.
SolidOfRevolution threadedSolid(const Thread& thread);

/// Description of what is invalid in a thread, or nothing.
std::optional<std::string> problemWith(const Thread& thread);

/// Height H = (√3/2) P of the fundamental triangle of metric threads (ISO 68-1) [m].
constexpr double threadTriangleHeight(double pitch) {
  return 0.86602540378443865 * pitch;
}

/// Basic profile of ISO 68-1 for nominal diameter d and pitch P, between `low` and `high` [m]: pitch diameter
/// d − 3/4 H, minor diameter d − 5/4 H. Its roots are cut deeper by half of what is left of the triangle
/// there (H/8 of the external, H/16 of the internal thread), where no crest of the other thread reaches them.
Thread basicThread(double diameter, double pitch, bool isInternal, double low, double high);

}  // namespace tenon::physics
