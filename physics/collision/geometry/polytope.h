// A convex polyhedron prepared for contact detection: faces with borders, edges, and which of them lie on the
// surface of the part (a part with holes is composed of several polytopes).
#pragma once

#include <array>
#include <vector>

#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

struct Polytope {
  /// One side of a face, from `vertex` to `next`.
  struct Border {
    int vertex = 0, next = 0;
    int edge = 0;  ///< index into edges
    /// A seam inside a flat face: the adjacent convex part continues the face in the same plane.
    bool isCoplanarSeam = false;
    Vector3d outward = Vector3d::Zero();  ///< unit, in the face's plane
    double offset = 0;                    ///< outward · p on the border [m]
  };
  struct Face {
    Vector3d normal = Vector3d::Zero();  ///< unit, outward
    double offset = 0;                   ///< normal · p on the face [m]
    int firstBorder = 0, borderCount = 0;
    bool internal = false;  ///< shared with an adjacent convex part: not on the surface
  };
  struct Edge {
    int a = 0, b = 0;       ///< vertices
    bool onSurface = true;  ///< both faces are on the surface
    Vector3d outward[2] = {Vector3d::Zero(),
                           Vector3d::Zero()};  ///< unit, in the plane of each face, out of it
  };

  std::vector<Vector3d> vertices;  ///< [m]
  std::vector<char> isCorner;      ///< by vertex: a corner of the part, not only of the decomposition
  std::vector<Face> faces;
  std::vector<Border> borders;  ///< by face, counter-clockwise seen from outside
  std::vector<Edge> edges;
  /// Unit, without parallel duplicates; empty if there are more than kMaxEdgeDirections.
  std::vector<Vector3d> edgeDirections;
  static constexpr int kMaxEdgeDirections = 6;
  /// Only for boxes: center, and half an edge along each of edgeDirections [m].
  bool isBox = false;
  Vector3d boxCenter = Vector3d::Zero();
  std::array<Vector3d, 3> halfEdges{Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};

  /// Point of an edge at t in [0, 1] [m]; at the ends exactly the vertices.
  Vector3d pointOn(int edge, double t) const {
    const Vector3d &a = vertices[edges[edge].a], &b = vertices[edges[edge].b];
    return t < 1 ? Vector3d(a + t * (b - a)) : b;
  }
};

/// A face to build a polytope from.
struct FaceLoop {
  std::vector<int> vertices;  ///< counter-clockwise seen from outside; collinear vertices allowed
  bool internal = false;      ///< shared with an adjacent convex part
  bool isContinued = false;   ///< beyond an internal face, the adjacent part continues its plane
};

/// The polytope bounded by `loops`, a closed convex surface.
Polytope makePolytope(std::vector<Vector3d> vertices, const std::vector<FaceLoop>& loops);

Polytope boxPolytope(const Vector3d& halfExtents);

/// Convex hull of `hull`'s vertices. Throws std::invalid_argument if they span no volume.
Polytope hullPolytope(const Hull& hull);

/// The same polytope expressed in the outer frame A of X_AB.
Polytope transformed(const Polytope& polytope, const Pose& X_AB);

/// Volume [m³], by tetrahedra.
double volume(const Polytope& polytope);

}  // namespace tenon::physics
