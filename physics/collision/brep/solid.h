// A solid by its boundary: trimmed faces, sharp edges and vertices, prepared for contact queries.
#pragma once

#include <algorithm>
#include <array>
#include <numbers>
#include <optional>
#include <vector>

#include "physics/collision/brep/curve.h"
#include "physics/collision/brep/feature_tree.h"
#include "physics/collision/brep/surface.h"
#include "physics/collision/brep/trim.h"
#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics::brep {

/// A point that projects this far beyond a face's border still counts as on the face [m]: so wide that the
/// deviation of an edge from its surfaces leaves no gap, whose effect on a distance is second order.
inline constexpr double kTrimTolerance = 1e-9;

/// Overlap up to which no proof is needed that a point lies inside [m]: a thousand times what a step leaves,
/// and thinner than any wall.
inline constexpr double kProvenOverlap = 1e-6;

/// Part of an overlap that no other face may be nearer than; see ContactQuery::isOverlapReal() [-].
inline constexpr double kShareOfDepth = 0.9;

/// A trimmed piece of a surface, borders included. A free-form surface has one of them for each of its
/// patches.
struct Face {
  Surface surface;
  Trim trim;
  Bounds bounds;  ///< in the frame of the solid [m]; may be infinite
  /// Faces that meet it at concave edges, and at edges that are concave in part.
  std::vector<int> concaveNeighbors;
  /// Of a torus: where the second coordinate of its trim begins [rad], outside of the face; and whether that
  /// is the angle about its axis, because the face winds around its tube.
  double seam = -std::numbers::pi;
  bool isAlongTube = false;

  /// Coordinates of the foot of `p` [m, frame of the surface] in the trim.
  Vector2d coordinatesOf(const Vector3d& p) const;
  /// The two of the surface's parameters (or scales of them) in the order of the trim.
  Vector2d ordered(const Vector2d& uv) const { return isAlongTube ? Vector2d(uv.y(), uv.x()) : uv; }

  /// True if the foot of `p` [m, frame of the surface] lies on the face, or beyond its border by at most
  /// `tolerance` [m]; with a negative one, if it lies on the face and further than that from its border.
  bool has(const Vector3d& p, double tolerance = kTrimTolerance) const;

  /// has() of a face of balls: beyond a smooth border too, by 15° of a ball with this radius [m], where the
  /// ball still lies inside the solid.
  bool hasBall(const Vector3d& p, double radius) const;
};

/// An edge at which the solid is convex. Concave and smooth edges carry no contact of their own.
struct Edge {
  int before = 0, after = 0;  ///< its two faces
  /// Of a quintic: its first point is a contact wherever it may be, as one of those that are spread over an
  /// edge that lies on a face.
  bool hasFixedPoint = false;
  int from = -1, to = -1;  ///< vertices at its ends; −1: none
  /// Lengths by which a straight edge goes on beyond either end, inside one of its faces [m]: it crosses
  /// other edges there, too, as the edge of the convex piece of the solid that ends there would. In the
  /// corner of a recess both of its rims are then known to what comes near either.
  std::array<double, 2> beyond{};
  /// Unit; normals of contacts out of the solid are within `spread` of it [rad], estimated from samples.
  Vector3d outward = Vector3d::UnitZ();
  double spread = std::numbers::pi;
  Curve curve;

  /// True if parameter `t` lies on the edge or what it goes on to; see Curve::reaches().
  bool reaches(double& t, double tolerance) const {
    if (!curve.isLine()) return curve.reaches(t, tolerance);
    return t >= curve.range[0] - beyond[0] - tolerance && t <= curve.range[1] + beyond[1] + tolerance;
  }
};

/// Tangents of the cone about the axis at a tip.
inline constexpr int kTipTangents = 16;

/// A corner, with the directions in which its edges leave it.
struct Vertex {
  Vector3d p = Vector3d::Zero();   ///< [m]
  std::vector<Vector3d> outgoing;  ///< unit tangents; the solid's tangent cone lies in their convex hull
  /// Sine of the angle by which a face may tilt beyond the normal cone and still be in contact: that between
  /// normals of the faces at the vertex, at most 15° (see facingSlack()) [-].
  double slack = kFacingSine;
};

/// Sine of the angle by which a face may tilt beyond the cone between two unit normals, so that flush faces
/// are in contact at all their corners, and smooth surfaces only where they are closest: the angle between
/// the normals, at most 15° [-].
inline double facingSlack(const Vector3d& before, const Vector3d& after) {
  return before.dot(after) > 0 ? std::min(kFacingSine, before.cross(after).norm()) : kFacingSine;
}

/// Faces, convex edges and vertices. A feature of the solid has an index: first the faces, then the edges,
/// then the vertices.
class Solid {
 public:
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Vertex> vertices;

  /// After faces, edges and vertices are complete. `depthLimit`: overlap up to which contacts of features are
  /// listed [m]. `anchor`: a point of the boundary [m]; without it a vertex or a point of the first edge or
  /// face, which then is a whole sphere or plane, or begins at the origin of its frame. Throws
  /// std::invalid_argument for more features than the id of a contact can name.
  void finish(double depthLimit, const std::optional<Vector3d>& anchor = {});

  /// Records that two faces meet at an edge that is not convex, unless they continue each other nearly
  /// smoothly at `p`, a point of it [m].
  void addConcaveNeighbor(int f, int g, const Vector3d& p);

  /// True if `p` [m, frame of the solid] lies in the corner between face `f` and a face that meets it in a
  /// concave edge, behind that one, so that its foot on the plane or surface of `f` lies beyond the edge.
  /// There the distance to `f` counts all the same: a point that comes out of one face of the corner must not
  /// go into the other. `distance`: from `f` [m], with its gradient; `limit`: the deepest overlap [m].
  bool isInConcaveCorner(int f, const Vector3d& p, const SurfaceDistance& distance, double limit) const;

  double depthLimit() const { return depthLimit_; }
  /// A quarter of the least side of the bounds [m]: overlap that is sought where it is deeper than the depth
  /// limit, which may be that of a small hole far away.
  double deepestOverlap() const { return 0.25 * (bounds_.high - bounds_.low).minCoeff(); }
  const FeatureTree& tree() const { return tree_; }
  const Bounds& bounds() const { return bounds_; }
  int featureCount() const { return static_cast<int>(faces.size() + edges.size() + vertices.size()); }
  int firstEdge() const { return static_cast<int>(faces.size()); }
  int firstVertex() const { return static_cast<int>(faces.size() + edges.size()); }

  /// A point of the boundary [m]: a solid that no boundary crosses lies inside another one where this point
  /// does.
  const Vector3d& anchor() const { return anchor_; }

  /// True if `p` [m, frame of the solid] lies inside, by the parity of the faces that a ray from it crosses.
  bool contains(const Vector3d& p) const;
  /// The same, by a ray along this unit direction.
  bool contains(const Vector3d& p, const Vector3d& along) const;

  /// True if a face lies on anything but a plane.
  bool hasCurvedFaces() const { return hasCurvedFaces_; }

  /// True if a face is nearer to `p` [m, frame of the solid] than `distance` [m]; those of the edge `except`
  /// do not count.
  bool isFaceNearer(const Vector3d& p, double distance, const Edge* except = nullptr) const;

  /// Outward unit normal of face `f` at the foot of `p` [m, frame of the solid].
  Vector3d normalOf(int f, const Vector3d& p) const;

 private:
  bool areOneSurface(int f, int g) const;
  Vector3d footInCorner(int f, const Vector3d& p, double limit) const;
  double lengthBeyond(const Edge& edge, const Vector3d& end, const Vector3d& out) const;
  void findNormals(Edge& edge) const;
  Bounds finishEdge(Edge& edge) const;

  double depthLimit_ = 0;
  bool hasCurvedFaces_ = false;
  Vector3d anchor_ = Vector3d::Zero();
  Bounds bounds_;
  FeatureTree tree_;
};

/// Bounds of a curve over its range [m].
Bounds boundsOf(const Curve& curve);

}  // namespace tenon::physics::brep
