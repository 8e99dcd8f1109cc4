// Bounding volume hierarchy of triangles: closest triangle, inside test, overlap with a box.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <limits>
#include <vector>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// Corners of a triangle [m], counter-clockwise seen from outside.
using TriangleCorners = std::array<Vector3d, 3>;

/// The triangles of a mesh, in its order.
std::vector<TriangleCorners> trianglesOf(const TriangleMesh& mesh);

/// The point of a triangle that is closest to p.
Vector3d closestPointOnTriangle(const TriangleCorners& triangle, const Vector3d& p);

class TriangleBvh {
 public:
  /// O(n log n). Deterministic.
  explicit TriangleBvh(std::vector<TriangleCorners> triangles);

  struct Nearest {
    double distance = std::numeric_limits<double>::infinity();  ///< [m]
    int triangle = -1;
  };
  /// The closest triangle; either one of two at the same distance. −1 for an empty tree. `guess`: an expected
  /// distance [m], with which points near the surface are found faster; the result is the same.
  Nearest nearest(const Vector3d& p, double guess = std::numeric_limits<double>::infinity()) const;

  /// How often closed surfaces wind around p: 1 inside a body, 0 outside, 2 where two overlap, −1 inside one
  /// that is inside out. The sum of signed ray intersections; undefined within a rounding error of the
  /// surface.
  int windingNumber(const Vector3d& p) const;
  /// True if the surface winds around p more than 0 times.
  bool isInside(const Vector3d& p) const { return windingNumber(p) > 0; }

  /// Calls visit(index) for each triangle whose bounds meet `box`.
  template <class Visit>
  void visitOverlapping(const Eigen::AlignedBox3d& box, Visit visit) const {
    std::array<int, 128> stack;  // a median tree is at most 31 deep
    std::size_t size = 0;
    if (!nodes_.empty()) stack[size++] = 0;
    while (size > 0) {
      const int at = stack[--size];
      const Node& node = nodes_[static_cast<std::size_t>(at)];
      if (!node.box.intersects(box)) continue;
      if (node.right < 0) {
        for (int k = node.begin; k < node.end; ++k)
          if (boundsOf(order_[static_cast<std::size_t>(k)]).intersects(box))
            visit(order_[static_cast<std::size_t>(k)]);
        continue;
      }
      stack[size++] = node.right;
      stack[size++] = at + 1;
    }
  }

  const TriangleCorners& triangle(int index) const { return triangles_[static_cast<std::size_t>(index)]; }
  int count() const { return static_cast<int>(triangles_.size()); }

 private:
  /// The left child is the next node; a leaf has right = −1.
  struct Node {
    Eigen::AlignedBox3d box;
    int begin = 0, end = 0, right = -1;  ///< range in order_
  };

  /// Boxes of the triangles and their centers, while the tree is built.
  struct Boxes {
    std::vector<Eigen::AlignedBox3d> boxes;
    std::vector<Vector3d> centers;
  };
  /// Builds the node `at` and those below it; with `delayed`, not those of at most kDelayed triangles, which
  /// are appended to it.
  void build(const Boxes& boxes, int at, int begin, int end, std::vector<std::array<int, 3>>* delayed);
  /// Of a tree of so many triangles, with its root.
  static std::size_t nodeCount(int triangles);
  Eigen::AlignedBox3d boundsOf(int index) const;
  /// The closest triangle within a distance; −1 if there is none.
  Nearest nearestWithin(const Vector3d& p, double distance) const;
  /// Intersections of the ray from p: outward ones minus inward ones.
  int windingAlong(const Vector3d& p, const Vector3d& direction) const;

  std::vector<TriangleCorners> triangles_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace tenon::content
