// Triangles in a tree of boxes: the closest one to a point, which side of a closed surface a point is on, and
// which triangles reach into a box.
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
  /// The closest triangle; of two as close, either. None (−1) of an empty tree.
  Nearest nearest(const Vector3d& p) const;

  /// Whether the closed surface of the triangles is wound around p, by rays (sum of signed crossings).
  /// Arbitrary within a rounding of the surface.
  bool isInside(const Vector3d& p) const;

  /// Calls visit(index) for each triangle whose bounds meet `box`.
  template <class Visit>
  void visitOverlapping(const Eigen::AlignedBox3d& box, Visit visit) const {
    std::vector<int> stack{0};
    while (!nodes_.empty() && !stack.empty()) {
      const int at = stack.back();
      const Node& node = nodes_[static_cast<std::size_t>(at)];
      stack.pop_back();
      if (!node.box.intersects(box)) continue;
      if (node.right < 0) {
        for (int k = node.begin; k < node.end; ++k)
          if (boundsOf(order_[static_cast<std::size_t>(k)]).intersects(box))
            visit(order_[static_cast<std::size_t>(k)]);
        continue;
      }
      stack.push_back(node.right);
      stack.push_back(at + 1);
    }
  }

  const TriangleCorners& triangle(int index) const { return triangles_[static_cast<std::size_t>(index)]; }
  int count() const { return static_cast<int>(triangles_.size()); }

 private:
  /// Its left child follows it; a leaf has no right one.
  struct Node {
    Eigen::AlignedBox3d box;
    int begin = 0, end = 0, right = -1;  ///< triangles, by place in order_
  };

  int build(int begin, int end);
  Eigen::AlignedBox3d boundsOf(int index) const;
  /// Crossings of the ray from p, those outwards less those inwards.
  int windingAlong(const Vector3d& p, const Vector3d& direction) const;

  std::vector<TriangleCorners> triangles_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace tenon::content
