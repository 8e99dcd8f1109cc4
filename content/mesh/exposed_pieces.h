// The pieces of a closed mesh's triangles that bound what its bodies enclose together, in exact arithmetic.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "content/mesh/exact_points.h"
#include "content/mesh/repair_mesh.h"
#include "content/mesh/triangle_bvh.h"

namespace tenon::content {

/// Much more than the rounding of a point's coordinates [units of the grid].
inline constexpr double kPointRounding = 1e-3;

/// A plane of the rounded vertices, and that of the vertices as given: n · p = d, n of any length [m].
struct CutPlane {
  GridPlane exact;
  Vector3d n = Vector3d::Zero();
  double d = 0;
};

/// A convex piece of a triangle: indices of its corners, counter-clockwise from outside, a plane along the
/// side from each corner to the next, and its bounds with some more than the rounding of points around them.
struct TrianglePiece {
  std::vector<int> corners;
  std::vector<CutPlane> sides;
  Eigen::AlignedBox3d box;

  void add(int corner, const CutPlane& side) {
    corners.push_back(corner);
    sides.push_back(side);
  }
};

/// Cuts each triangle by the planes of those that cross it or lie in its plane. A piece is exposed if the
/// surface winds around the points below it at least once and around those above it not at all; of several in
/// one place only one is. Vertices are rounded to a grid of 1/20 of the weld distance, and all decisions
/// after that are exact: the exposed pieces are closed, up to corners that lie on sides of others.
class ExposedPieces {
 public:
  /// `mesh` must be closed and oriented, with a weld distance above 0; it is kept. O(n log n + k p + n r),
  /// k pairs of triangles that cross, p pieces of a triangle, r triangles in line with one along an axis.
  explicit ExposedPieces(const RepairedMesh& mesh);

  const std::vector<TrianglePiece>& pieces() const { return exposed_; }
  /// The triangle of each piece.
  const std::vector<int>& triangles() const { return triangles_; }

  /// Triangles of which a part or all is hidden.
  std::size_t hidden() const { return hidden_; }
  /// Triangles around which the surface winds less than 0 times: it is folded inside out.
  std::size_t folded() const { return folded_; }
  /// Their pieces.
  const std::vector<TrianglePiece>& folds() const { return folds_; }
  /// True if it would take more than some 20 s; the pieces are incomplete.
  bool areTooMany() const { return areTooMany_; }
  /// False if all rays from a piece met sides of triangles.
  bool isDecided() const { return isDecided_; }

  const ExactPoints& points() const { return points_; }
  const GridPlane& face(int triangle) const { return faces_[static_cast<std::size_t>(triangle)].exact; }
  /// [m]; as given, not rounded: of vertices at one point that of the first; where planes meet at an angle so
  /// small that their rounding matters, the rounded one.
  Vector3d position(int point) const;

 private:
  /// How often the surface winds around the points beside a point on it, as TriangleBvh::windingNumber().
  struct Windings {
    int above = 0, below = 0;
    bool isFirst = true;  ///< no triangle before lies there and faces the same way
  };

  std::vector<TriangleCorners> roundToGrid();
  const GridPoint& at(int vertex) const { return grid_[static_cast<std::size_t>(vertex)]; }
  /// As given [m].
  const Vector3d& vertex(std::size_t t, std::size_t k) const {
    return mesh_.mesh.vertices[static_cast<std::size_t>(mesh_.mesh.triangles[t][k])];
  }
  GridPlane sideAlong(int axis, std::size_t t, std::size_t k) const;
  CutPlane sideOfTriangle(std::size_t t, std::size_t k) const;
  Eigen::AlignedBox3d partInPlane(std::size_t t, std::size_t u) const;
  bool meetsAlongSide(std::size_t t, std::size_t u) const;
  bool areCoplanar(std::size_t t, std::size_t u) const;
  bool runsThrough(ExactPoint a, ExactPoint b, std::size_t t, const GridPlane& plane, std::size_t u) const;
  void addPosition(int point, const CutPlane& a, const CutPlane& b, const CutPlane& c);
  void divide(std::size_t t, const CutPlane& plane, std::size_t u, const Eigen::AlignedBox3d& near,
              std::vector<TrianglePiece>& pieces);
  void cut(std::size_t t, std::vector<TrianglePiece>& pieces);
  std::optional<Windings> windingsAt(std::size_t t, const InnerPoint& p, int axis);
  bool isExposed(std::size_t t, const TrianglePiece& piece);

  const RepairedMesh& mesh_;
  double unit_;  ///< of the grid [m]
  Vector3d origin_;
  ExactPoints points_;                       ///< those of grid_ first
  std::vector<GridPoint> grid_;              ///< vertices, equal ones once
  std::vector<std::size_t> vertexOf_;        ///< of each of these: the first vertex there
  std::vector<std::array<int, 3>> corners_;  ///< of each triangle
  TriangleBvh tree_;                         ///< in units of the grid
  std::vector<CutPlane> faces_;
  std::vector<Vector3d> meetings_;  ///< positions of the points after those of grid_ [m]
  std::vector<TrianglePiece> exposed_, folds_;
  std::vector<int> triangles_;
  std::size_t hidden_ = 0, folded_ = 0;
  std::size_t work_ = 0;  ///< steps of some 3 ns
  bool areTooMany_ = false, isDecided_ = true;
};

}  // namespace tenon::content
