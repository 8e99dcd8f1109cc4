// A convex polyhedron with all that contact finding asks of it: faces with borders, edges, and which
// of them lie on the surface of the part (a part with holes is glued from several polytopes).
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
    /// The face goes on beyond this border in the neighbouring piece: no corner of the surface.
    bool flat = false;
    Vector3d outward = Vector3d::Zero();  ///< unit, in the face's plane
    double offset = 0;                    ///< outward · p on the border [m]
  };
  struct Face {
    Vector3d normal = Vector3d::Zero();  ///< unit, outward
    double offset = 0;                   ///< normal · p on the face [m]
    int firstBorder = 0, borderCount = 0;
    bool internal = false;  ///< glued to a neighbouring piece: not on the surface
  };
  struct Edge {
    int a = 0, b = 0;                                            ///< vertices
    bool onSurface = true;                                       ///< both faces are on the surface
    Vector3d outward[2] = {Vector3d::Zero(), Vector3d::Zero()};  ///< in-plane, out of either face
  };

  std::vector<Vector3d> vertices;  ///< [m]
  std::vector<char> isCorner;      ///< by vertex: a corner of the part, not of the gluing
  std::vector<Face> faces;
  std::vector<Border> borders;  ///< by face, counter-clockwise seen from outside
  std::vector<Edge> edges;
  /// Unit, one of those that are parallel; none where there are more than kMaxEdgeDirections.
  std::vector<Vector3d> edgeDirections;
  static constexpr int kMaxEdgeDirections = 6;
  /// A box: its middle and half of an edge of each of its directions, in their order [m]; else they mean
  /// nothing.
  bool isBox = false;
  Vector3d middle = Vector3d::Zero();
  std::array<Vector3d, 3> halfEdges{Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};

  /// Point of an edge at t in [0, 1]; at its ends the vertices to the last bit [m].
  Vector3d pointOn(int edge, double t) const {
    const Vector3d &a = vertices[edges[edge].a], &b = vertices[edges[edge].b];
    return t < 1 ? Vector3d(a + t * (b - a)) : b;
  }
};

/// A face to build a polytope from.
struct FaceLoop {
  std::vector<int> vertices;  ///< counter-clockwise seen from outside; collinear ones allowed
  bool internal = false;      ///< glued to a neighbouring piece
  bool isContinued = false;   ///< where it meets an internal face, the neighbour continues its plane
};

/// The polytope bounded by `loops`, a closed convex surface.
Polytope makePolytope(std::vector<Vector3d> vertices, const std::vector<FaceLoop>& loops);

Polytope boxPolytope(const Vector3d& halfExtents);

/// Of the hull of `hull`'s vertices. Throws std::invalid_argument where they span no volume.
Polytope hullPolytope(const Hull& hull);

/// The same polytope seen from the outer frame A of X_AB.
Polytope transformed(const Polytope& polytope, const Pose& X_AB);

/// Volume [m³], by tetrahedra.
double volume(const Polytope& polytope);

}  // namespace tenon::physics
