// Exact contacts of solids of revolution, without state.
//
// Contact points have three sources: sharp edge circles of either part against the other's surface, at eight
// phases fixed in the part and at every local minimum of the distance; straight edges and corners against the
// solid of revolution; and points where two round flanks touch away from their edges.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/collision/revolved/revolved_geometry.h"

namespace tenon::physics {

/// A point where solid A touches solid B or may touch soon, in B's frame.
struct SurfaceContact {
  Vector3d p = Vector3d::Zero();  ///< midway between the two surfaces' points [m]
  Vector3d n = Vector3d::Zero();  ///< unit normal, from A into B
  /// Signed distance [m]: of a point of one part to the other's surface, or of two crossing edges along n
  /// (negative if either lies inside the other's material).
  double separation = 0;
  /// Code of the two features; unique within a pair, the same at nearby poses.
  std::uint32_t feature = 0;
};

/// Maximum number of features of a solid, from the bits of SurfaceContact::feature; prepare() rejects more.
inline constexpr int kMaxFeatures = 8192;

/// True for the feature of a minimum of the distance along an edge, or of two edges: its point moves over both
/// parts.
constexpr bool isMinimum(std::uint64_t feature) {
  const std::uint64_t kind = feature >> 3 & 3;
  return kind == 1 || kind == 2;
}

/// Append the contacts with δ ≤ range [m] at pose X_BA, ordered by feature. Allocate only to grow `contacts`.
void revolvedBlockContacts(const RevolvedGeometry& a, const BlockGeometry& b, const Pose& X_BA, double range,
                           std::vector<SurfaceContact>& contacts);
void revolvedRevolvedContacts(const RevolvedGeometry& a, const RevolvedGeometry& b, const Pose& X_BA,
                              double range, std::vector<SurfaceContact>& contacts);
/// B is the half-space z ≤ 0 of its frame.
void revolvedHalfSpaceContacts(const RevolvedGeometry& a, const Pose& X_BA, double range,
                               std::vector<SurfaceContact>& contacts);

}  // namespace tenon::physics
