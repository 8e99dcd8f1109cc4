// See face_topology.h.
#include "content/reader/face_topology.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <tuple>

#include "physics/collision/brep/surface.h"
#include "physics/collision/brep/triangle_solid.h"

namespace tenon::content {

namespace {

using physics::BoundarySolid;

/// Grows faces from the largest triangles, whose normals are the most accurate.
class FaceGrower {
 public:
  explicit FaceGrower(const BoundarySolid& solid) : solid_(solid) { findEdges(); }

  FaceTopology grow() {
    const std::size_t n = solid_.triangles.size();
    std::vector<double> areas(n);
    for (std::size_t t = 0; t < n; ++t) areas[t] = across(static_cast<int>(t)).norm();
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int s, int t) { return areas[asIndex(s)] > areas[asIndex(t)]; });
    found_.faceOf.assign(n, -1);
    for (const int seed : order)
      if (found_.faceOf[asIndex(seed)] < 0) growFrom(seed);
    for (std::size_t t = 0; t < n; ++t)
      found_.faces[asIndex(found_.faceOf[t])].triangles.push_back(static_cast<int>(t));
    listBorders();
    return std::move(found_);
  }

 private:
  const Vector3d& corner(int t, int k) const {
    return solid_.vertices[asIndex(solid_.triangles[asIndex(t)][asIndex(k % 3)])];
  }
  Vector3d across(int t) const { return (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)); }
  int surfaceOf(int t) const { return solid_.surfaceOf.empty() ? -1 : solid_.surfaceOf[asIndex(t)]; }

  void findEdges() {
    sides_.reserve(3 * solid_.triangles.size());
    for (int t = 0; t < static_cast<int>(solid_.triangles.size()); ++t)
      for (int k = 0; k < 3; ++k) {
        const int from = solid_.triangles[asIndex(t)][asIndex(k)],
                  to = solid_.triangles[asIndex(t)][asIndex((k + 1) % 3)];
        sides_.push_back({std::min(from, to), std::max(from, to), t, from, to});
      }
    std::sort(sides_.begin(), sides_.end(), [](const Side& a, const Side& b) {
      return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    neighbors_.assign(solid_.triangles.size(), {-1, -1, -1});
    eachEdge([&](const Side& one, const Side& two) {
      for (const auto& [side, other] : {std::pair(&one, &two), std::pair(&two, &one)})
        for (std::size_t k = 0; k < 3; ++k)
          if (solid_.triangles[asIndex(side->triangle)][k] == side->from)
            neighbors_[asIndex(side->triangle)][k] = other->triangle;
    });
  }
  template <class Take>
  void eachEdge(const Take& take) const {
    for (std::size_t n = 0; n + 1 < sides_.size(); n += 2) take(sides_[n], sides_[n + 1]);
  }

  /// True if a triangle lies in a plane, with the same outward side; the normal of a sliver is rounding.
  bool fits(int t, const Vector3d& p, const Vector3d& n) const {
    constexpr double kSameSide = 0.9;
    double longest = 0;
    for (int k = 0; k < 3; ++k) {
      if (std::abs(n.dot(corner(t, k) - p)) > physics::brep::kCoplanar) return false;
      longest = std::max(longest, (corner(t, k + 1) - corner(t, k)).norm());
    }
    const Vector3d own = across(t);
    return own.norm() < 20 * physics::brep::kCoplanar * longest || own.normalized().dot(n) > kSameSide;
  }

  void growFrom(int seed) {
    const int face = static_cast<int>(found_.faces.size()), index = surfaceOf(seed);
    const Vector3d n = across(seed).normalized(), p = corner(seed, 0);
    std::vector<int> open{seed};
    found_.faceOf[asIndex(seed)] = face;
    while (!open.empty()) {
      const int t = open.back();
      open.pop_back();
      for (const int next : neighbors_[asIndex(t)]) {
        if (next < 0 || found_.faceOf[asIndex(next)] >= 0 || surfaceOf(next) != index) continue;
        if (index < 0 && !fits(next, p, n)) continue;
        found_.faceOf[asIndex(next)] = face;
        open.push_back(next);
      }
    }
    MeshFace grown;
    grown.index = index;
    if (index >= 0) {
      grown.surface = solid_.surfaces[asIndex(index)];
      grown.surface.side = 1;
      if (grown.normalAt(middleOf(solid_, seed)).dot(n) < 0) grown.surface.side = -1;
    } else {
      const Vector3d x = n.unitOrthogonal();
      grown.surface.X_BS.R << x, n.cross(x), n;
      grown.surface.X_BS.p = p;
    }
    found_.faces.push_back(std::move(grown));
  }

  void listBorders() {
    found_.facesAt.resize(solid_.vertices.size());
    for (std::size_t t = 0; t < solid_.triangles.size(); ++t)
      for (const int v : solid_.triangles[t]) found_.facesAt[asIndex(v)].push_back(found_.faceOf[t]);
    for (std::vector<int>& faces : found_.facesAt) {
      std::sort(faces.begin(), faces.end());
      faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    }
    eachEdge([&](const Side& one, const Side& two) {
      const int left = found_.faceOf[asIndex(one.triangle)], right = found_.faceOf[asIndex(two.triangle)];
      if (left != right) found_.borders.push_back({one.from, one.to, left, right});
    });
  }

  struct Side {
    int low, high, triangle, from, to;
  };
  const BoundarySolid& solid_;
  std::vector<Side> sides_;                    ///< those of one edge side by side
  std::vector<std::array<int, 3>> neighbors_;  ///< beyond edge k of each triangle
  FaceTopology found_;
};

}  // namespace

Vector3d MeshFace::normalAt(const Vector3d& p) const {
  return surface.X_BS.R * physics::brep::distanceTo(surface, surface.X_BS.inverse().point(p)).gradient;
}

double MeshFace::distanceOf(const Vector3d& p) const {
  return physics::brep::distanceValue(surface, surface.X_BS.inverse().point(p));
}

std::vector<Vector3d> FaceTopology::pointsOf(const FaceBorder& border, const BoundarySolid& solid) const {
  const Vector3d &from = solid.vertices[asIndex(border.from)], &to = solid.vertices[asIndex(border.to)];
  const MeshFace& left = faces[asIndex(border.left)];
  const Vector3d middle = 0.5 * (from + to);
  return {from, to, middle - left.distanceOf(middle) * left.normalAt(middle)};
}

bool FaceTopology::isSmooth(const FaceBorder& border, const BoundarySolid& solid) const {
  const MeshFace &left = faces[asIndex(border.left)], &right = faces[asIndex(border.right)];
  const std::vector<Vector3d> points = pointsOf(border, solid);
  return std::all_of(points.begin(), points.end(), [&](const Vector3d& p) {
    const Vector3d l = left.normalAt(p), r = right.normalAt(p);
    return l.dot(r) > 0 && l.cross(r).norm() < kSmoothBorder;
  });
}

FaceTopology topologyOf(const BoundarySolid& solid) {
  return FaceGrower(solid).grow();
}

Vector3d middleOf(const BoundarySolid& solid, int triangle) {
  const auto& corners = solid.triangles[asIndex(triangle)];
  return (solid.vertices[asIndex(corners[0])] + solid.vertices[asIndex(corners[1])] +
          solid.vertices[asIndex(corners[2])]) /
         3;
}

}  // namespace tenon::content
