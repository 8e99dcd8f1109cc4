// The outline of a round face and of what continues it about the same axis, in one half-plane through the
// axis.
#pragma once

#include <optional>
#include <vector>

#include "content/recognize/axis_fit.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

using Eigen::Vector2d;

/// What the outline of a face ends at.
enum class OutlineEnd : char {
  face,    ///< a plane perpendicular to the axis that faces outwards: a mouth or a tip
  open,    ///< another surface, at which a hole becomes wider
  axis,    ///< the axis
  floor,   ///< a plane perpendicular to the axis that faces inwards
  closed,  ///< another surface, at which a hole becomes narrower
};

/// A surface about the axis, as a face of an outline.
struct OutlineFace {
  enum class Kind : char { line, plane, arc, other };
  Kind kind = Kind::other;
  int id = -1;            ///< equal for faces on the same surface
  double side = 0;        ///< 1: the material is inside, or below a plane; −1: outside, or above
  Vector2d n{1, 0};       ///< of a line or plane: n · (r, z) = d
  double d = 0;           ///< [m]
  Vector2d center{0, 0};  ///< of an arc (r, z) [m]
  double radius = 0;      ///< of an arc [m]
  bool isSphere = false;  ///< the arc is a sphere's
};

/// The outline from a cylinder in one direction along the axis.
struct Outline {
  std::vector<int> ids;          ///< of its faces from the cylinder on, then of the plane it ends at
  std::vector<Vector2d> points;  ///< (r, z) from the end of the cylinder on [m]
  std::vector<int> triangles;    ///< one of each of its faces
  OutlineEnd end = OutlineEnd::closed;

  bool isLike(const Outline& other) const { return ids == other.ids && end == other.end; }
};

/// The faces of a solid about one axis and the outlines that they form.
class RoundSection {
 public:
  /// `solid`: its triangles are those of `facets`.
  RoundSection(const Facets& facets, const physics::BoundarySolid& solid, const Axis& axis);

  /// The face of a triangle.
  OutlineFace faceOf(int triangle) const;

  /// z where the half-plane at `azimuth` [rad] leaves the triangle, upwards or downwards [m]; empty if it
  /// does not cross it.
  std::optional<double> endOf(int triangle, double azimuth, bool upwards) const;

  /// The outline from the triangle of a cylinder that this half-plane crosses, upwards or downwards.
  Outline outlineFrom(int triangle, double azimuth, bool upwards) const;

 private:
  OutlineFace makeFace(const physics::Surface& surface) const;

  const Facets& f_;
  const physics::BoundarySolid& solid_;
  Axis axis_;
  std::vector<OutlineFace> faces_;  ///< by surface; side 0
};

}  // namespace tenon::content
