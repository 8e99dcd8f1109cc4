// Contacts of turned parts: exact pure geometry, without memory of its own.
//
// Points come from three sources. Every sharp edge circle of either part against the other's surface: at
// eight phases fixed in the part, and at every local minimum of the distance along it. Straight edges and
// corners against the turned part. And where two round flanks touch away from their edges, that point.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/collision/revolved/revolved_geometry.h"

namespace tenon::physics {

/// A point where solid A meets solid B or is about to. In B's frame.
struct SurfaceContact {
  Vector3d p = Vector3d::Zero();  ///< midway between the two surfaces' points [m]
  Vector3d n = Vector3d::Zero();  ///< unit normal, from A into B
  /// Signed distance [m]. Of a point of one part to the other's surface; of two crossing edges, along n,
  /// smooth through zero (negative where either lies in the other's material).
  double separation = 0;
  /// Which features meet; unique within a pair, the same in neighbouring poses.
  std::uint32_t feature = 0;
};

/// Features of one solid that fit into SurfaceContact::feature; prepare() refuses more.
inline constexpr int kMaxFeatures = 8192;

/// Append the contacts with δ ≤ range [m] at the pose X_BA, ordered by feature. Allocate nothing but the
/// growth of `contacts`. `kind` functions for every pair of shapes a turned part A can meet.
void revolvedBlockContacts(const RevolvedGeometry& a, const BlockGeometry& b, const Pose& X_BA, double range,
                           std::vector<SurfaceContact>& contacts);
void revolvedRevolvedContacts(const RevolvedGeometry& a, const RevolvedGeometry& b, const Pose& X_BA,
                              double range, std::vector<SurfaceContact>& contacts);
/// B is z ≤ 0 of its frame.
void revolvedHalfSpaceContacts(const RevolvedGeometry& a, const Pose& X_BA, double range,
                               std::vector<SurfaceContact>& contacts);

}  // namespace tenon::physics
