// The meridian of a surface of revolution: its profile in the half-plane (ρ, z), ρ ≥ 0, and exact
// signed distances to it.
//
// The closest point of a surface of revolution lies in the half-plane of the point asked for, so that
// distances in space are distances in this plane.
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
    Vector2d before = Vector2d::Zero();  ///< unit normals of the two faces that meet here
    Vector2d after = Vector2d::Zero();
    bool convex = false;  ///< a sharp edge (on the axis: a tip) of the material
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
  bool edge = false;                   ///< a vertex
  bool valid = false;                  ///< false: a face that continues the surface is nearer
  /// How far along its segment it lies from a sharp edge [m]; infinite where the segment has none.
  double edgeDistance = std::numeric_limits<double>::infinity();
};

/// Of the solid between the axis and `profile` (points (z, r) [m], from the bottom up, on the axis at both
/// ends; or of the ring inside it, where it ends where it starts).
Meridian solidMeridian(const std::vector<Vector2d>& profile);

/// Of the wall of a cavity (points (z, r) [m], from the mouth down, on the axis at the end unless
/// `through`).
Meridian cavityMeridian(const std::vector<Vector2d>& profile, bool through);

/// Signed distance of the point (ρ, z), ρ ≥ 0, to the polyline. The sign is that of the closest feature's
/// own side, which for the closest feature is membership. Vertices that a face shares are answered only
/// where their face is not nearer (ρ less than the vertex's). Exact to rounding.
MeridianHit nearestOn(const Meridian& meridian, double rho, double z);

/// Below this a difference of points is no direction [m]: with coordinates of 0.1 m its rounding turns it by
/// 1e-7 rad. As small as contacts at rest are told apart from touching; a guess in its place may be wrong by
/// the whole angle between an edge's faces.
inline constexpr double kMinDirectionLength = 1e-9;

}  // namespace tenon::physics
