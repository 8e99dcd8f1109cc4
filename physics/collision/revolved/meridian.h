// Meridian of a surface of revolution: its profile in the half-plane (ρ, z), ρ ≥ 0, with exact signed
// distances.
//
// The point of a surface of revolution closest to p lies in the half-plane of p, so distances in space equal
// distances in this plane.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::physics {

using Eigen::Vector2d;

/// Polyline in (ρ, z) [m] with the material on its left. Its ends lie on the axis, or on a plane face
/// z = const that continues the surface outwards, or on each other (closed: of a ring).
struct Meridian {
  struct Segment {
    Vector2d start = Vector2d::Zero();      ///< [m]
    Vector2d direction = Vector2d::Zero();  ///< unit
    Vector2d normal = Vector2d::Zero();     ///< unit, out of the material
    double length = 0;                      ///< [m]
  };
  struct Vertex {
    Vector2d at = Vector2d::Zero();      ///< [m]
    Vector2d before = Vector2d::Zero();  ///< unit normals of the two adjacent faces
    Vector2d after = Vector2d::Zero();
    bool convex = false;  ///< a sharp edge of the material (a tip on the axis)
  };

  std::vector<Segment> segments;
  std::vector<Vertex> vertices;  ///< vertex i starts segment i; one more than segments unless closed
  bool startsOnFace = false, endsOnFace = false, closed = false;
  double radius = 0, bottom = 0, top = 0;  ///< bounds: ρ ≤ radius, bottom ≤ z ≤ top [m]
};

/// The closest point of a meridian.
struct MeridianHit {
  double distance = 0;                 ///< [m], negative in the material
  Vector2d normal = Vector2d::Zero();  ///< unit, out of the material: the gradient of the distance
  int index = 0;                       ///< of the segment or of the vertex
  bool edge = false;                   ///< the closest point is a vertex
  bool valid = false;                  ///< false if a face that continues the surface is closer
  /// Distance along the segment to its nearest sharp edge [m]; infinite if it has none.
  double edgeDistance = std::numeric_limits<double>::infinity();
};

/// Meridian of the solid between the axis and `profile` (points (z, r) [m] from the bottom up, both ends on
/// the axis), or of the ring inside a closed profile.
Meridian solidMeridian(const std::vector<Vector2d>& profile);

/// Meridian of the wall of a cavity (points (z, r) [m] from the mouth down; the last on the axis unless
/// `through`).
Meridian cavityMeridian(const std::vector<Vector2d>& profile, bool through);

/// Signed distance of the point (ρ, z), ρ ≥ 0, to the polyline, exact to rounding. The sign is the side of
/// the closest feature, which for the closest feature equals inside or outside. An end vertex on a face is a
/// candidate only where that face is not closer (ρ less than the vertex's).
MeridianHit nearestOn(const Meridian& meridian, double rho, double z);

/// Minimum length of a difference of points to define a direction [m]: with coordinates of 0.1 m its rounding
/// error is 1e-7 rad. As small as the gap of contacts at rest; a substitute direction may be wrong by the
/// angle between the faces of an edge.
inline constexpr double kMinDirectionLength = 1e-9;

}  // namespace tenon::physics
