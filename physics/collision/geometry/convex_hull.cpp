// Quickhull on an integer grid with exact signs, then merging of coplanar triangles.
#include "physics/collision/geometry/convex_hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>

namespace tenon::physics {
namespace {

// Grid steps per half extent. Differences have 41 bits and their 3×3 determinants at most 126, which fit a
// signed 128-bit integer.
constexpr double kGridSteps = 1099511627776.0;  // 2^40
// Minimum thickness of a solid hull, relative to the half extent [-].
constexpr double kMinThickness = 2e-9;
// Corners this close to a face's plane belong to the face, relative to the half extent [-]. Far above the
// rounding of rotated coordinates (1e-16), far below the accuracy of contacts (1e-12 m).
constexpr double kCoplanar = 1e-10;

constexpr const char* kFlat = "convex hull: the points lie in one plane; a solid needs four that do not";

__extension__ typedef __int128 Int128;
using GridPoint = std::array<std::int64_t, 3>;

struct Triangle {
  std::array<int, 3> corner;                   // counter-clockwise seen from outside
  std::array<int, 3> neighbor = {-1, -1, -1};  // across the edge from corner k to corner k + 1
  std::vector<int> outside;                    // points not yet added that are above this triangle
  bool alive = true;
};

// Six times the volume of the tetrahedron; positive where p is on the outer side of triangle (a, b, c).
Int128 height(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& p) {
  std::array<Int128, 3> u{}, v{}, w{};
  for (std::size_t k = 0; k < 3; ++k) {
    u[k] = b[k] - a[k];
    v[k] = c[k] - a[k];
    w[k] = p[k] - a[k];
  }
  return (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
         (u[0] * v[1] - u[1] * v[0]) * w[2];
}

class Quickhull {
 public:
  // `scaled`: finite points within [−1, 1]³.
  explicit Quickhull(const std::vector<Vector3d>& scaled) : scaled_(scaled) {
    grid_.reserve(scaled.size());
    for (const Vector3d& p : scaled) {
      grid_.push_back({std::llround(p.x() * kGridSteps), std::llround(p.y() * kGridSteps),
                       std::llround(p.z() * kGridSteps)});
    }
  }

  // The surface as triangles with their neighbors; all alive.
  std::vector<Triangle> run() {
    startWithTetrahedron();
    // Triangles are only appended, so one pass over the growing list visits all.
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      if (triangles_[t].alive && !triangles_[t].outside.empty()) addFarthest(static_cast<int>(t));
    }
    return aliveTriangles();
  }

 private:
  Int128 height(const Triangle& t, int p) const {
    return physics::height(grid_[t.corner[0]], grid_[t.corner[1]], grid_[t.corner[2]], grid_[p]);
  }

  template <class Measure>
  int argMax(const Measure& measure) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(scaled_.size()); ++i) {
      if (measure(scaled_[i]) > measure(scaled_[best])) best = i;
    }
    return best;
  }

  void startWithTetrahedron() {
    const int a = argMax([](const Vector3d& p) { return p.x() + p.y() + p.z(); });
    const Vector3d pa = scaled_[a];
    const int b = argMax([&](const Vector3d& p) { return (p - pa).norm(); });
    const Vector3d ab = (scaled_[b] - pa).normalized();
    const int c = argMax([&](const Vector3d& p) { return ab.cross(p - pa).norm(); });
    const Vector3d normal = ab.cross(scaled_[c] - pa).normalized();
    const int d = argMax([&](const Vector3d& p) { return std::abs(normal.dot(p - pa)); });
    // The negated comparison also rejects the NaN of coincident points.
    if (!(std::abs(normal.dot(scaled_[d] - pa)) > kMinThickness)) {
      throw std::invalid_argument(kFlat);
    }
    const bool dOutside = physics::height(grid_[a], grid_[b], grid_[c], grid_[d]) > 0;
    const int p = dOutside ? b : a;
    const int q = dOutside ? a : b;
    triangles_.push_back({{p, q, c}, {3, 1, 2}, {}, true});
    triangles_.push_back({{q, d, c}, {3, 2, 0}, {}, true});
    triangles_.push_back({{c, d, p}, {1, 3, 0}, {}, true});
    triangles_.push_back({{p, d, q}, {2, 1, 0}, {}, true});
    std::vector<int> all(scaled_.size());
    std::iota(all.begin(), all.end(), 0);
    distribute(all, 0);
  }

  // Assigns each point to the first triangle from `first` on that it is above; points above none lie inside.
  // A point above a removed triangle is above a new one or above none (Barber et al., section 2), so only the
  // new triangles are tested.
  void distribute(const std::vector<int>& points, std::size_t first) {
    for (int p : points) {
      for (std::size_t t = first; t < triangles_.size(); ++t) {
        if (height(triangles_[t], p) > 0) {
          triangles_[t].outside.push_back(p);
          break;
        }
      }
    }
  }

  void addFarthest(int seed) {
    const Triangle& start = triangles_[seed];
    const int apex = *std::max_element(start.outside.begin(), start.outside.end(),
                                       [&](int p, int q) { return height(start, p) < height(start, q); });
    findVisible(seed, apex);
    const std::size_t first = triangles_.size();
    coneOverHorizon(apex);
    std::vector<int> orphans;
    for (int t : visible_) {
      std::vector<int>& outside = triangles_[t].outside;
      orphans.insert(orphans.end(), outside.begin(), outside.end());
      std::vector<int>().swap(outside);
    }
    distribute(orphans, first);
  }

  // Marks the triangles strictly visible from `apex` as dead. They are connected. Coplanar triangles stay:
  // their new neighbors continue them in the same plane, so no triangle is degenerate.
  void findVisible(int seed, int apex) {
    visible_.assign(1, seed);
    triangles_[seed].alive = false;
    for (std::size_t k = 0; k < visible_.size(); ++k) {
      for (int n : triangles_[visible_[k]].neighbor) {
        if (!triangles_[n].alive || height(triangles_[n], apex) <= 0) continue;
        triangles_[n].alive = false;
        visible_.push_back(n);
      }
    }
  }

  // Joins `apex` to every edge between a visible and a hidden triangle.
  void coneOverHorizon(int apex) {
    if (byFirstCorner_.size() < scaled_.size()) byFirstCorner_.assign(scaled_.size(), -1);
    const std::size_t first = triangles_.size();
    for (int t : visible_) {
      for (std::size_t k = 0; k < 3; ++k) {
        const int hidden = triangles_[t].neighbor[k];
        if (!triangles_[hidden].alive) continue;
        const int a = triangles_[t].corner[k], b = triangles_[t].corner[(k + 1) % 3];
        const int fresh = static_cast<int>(triangles_.size());
        std::replace(triangles_[hidden].neighbor.begin(), triangles_[hidden].neighbor.end(), t, fresh);
        triangles_.push_back({{a, b, apex}, {hidden, -1, -1}, {}, true});
        byFirstCorner_[a] = fresh;
      }
    }
    // The horizon is one closed loop: the triangle after (a, b) is the one that starts at b.
    for (std::size_t t = first; t < triangles_.size(); ++t) {
      const int next = byFirstCorner_[triangles_[t].corner[1]];
      triangles_[t].neighbor[1] = next;
      triangles_[next].neighbor[2] = static_cast<int>(t);
    }
  }

  std::vector<Triangle> aliveTriangles() {
    std::vector<int> renumbered(triangles_.size(), -1);
    std::vector<Triangle> result;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      if (!triangles_[t].alive) continue;
      renumbered[t] = static_cast<int>(result.size());
      result.push_back(std::move(triangles_[t]));
    }
    for (Triangle& t : result) {
      for (int& n : t.neighbor) n = renumbered[n];
    }
    return result;
  }

  const std::vector<Vector3d>& scaled_;
  std::vector<GridPoint> grid_;
  std::vector<Triangle> triangles_;
  std::vector<int> visible_;
  std::vector<int> byFirstCorner_;
};

// Scaled into [−1, 1]³ about the middle of their bounds.
std::vector<Vector3d> normalized(std::span<const Vector3d> points) {
  Eigen::AlignedBox3d bounds;
  for (const Vector3d& p : points) {
    if (!p.allFinite()) throw std::invalid_argument("convex hull: a point is not finite");
    bounds.extend(p);
  }
  const Vector3d middle = bounds.center();
  const double half = (0.5 * bounds.diagonal()).maxCoeff();
  if (!std::isfinite(half)) throw std::invalid_argument("convex hull: the points are too far apart");
  if (!(half > 0)) throw std::invalid_argument("convex hull: all points coincide");
  std::vector<Vector3d> scaled;
  scaled.reserve(points.size());
  for (const Vector3d& p : points) scaled.push_back(((p - middle) / half).cwiseMax(-1.0).cwiseMin(1.0));
  return scaled;
}

// Groups triangles into planar patches and extracts their outlines.
class FaceMerger {
 public:
  FaceMerger(const std::vector<Triangle>& triangles, const std::vector<Vector3d>& points)
      : triangles_(triangles), points_(points), patch_(triangles.size(), -1) {}

  std::vector<std::vector<int>> run() {
    for (int seed : byDescendingArea()) {
      if (patch_[seed] < 0) outlines_.push_back(outlineOf(grow(seed)));
    }
    // Triangles without a common simple outline become faces of their own.
    for (int t : loose_) outlines_.emplace_back(triangles_[t].corner.begin(), triangles_[t].corner.end());
    dropPointsOnEdges();
    return std::move(outlines_);
  }

 private:
  Vector3d areaVector(int t) const {
    const auto& c = triangles_[t].corner;
    return (points_[c[1]] - points_[c[0]]).cross(points_[c[2]] - points_[c[0]]);
  }

  // Large triangles first: the plane of a sliver is ill-defined.
  std::vector<int> byDescendingArea() const {
    std::vector<double> area(triangles_.size());
    for (std::size_t t = 0; t < area.size(); ++t) area[t] = areaVector(static_cast<int>(t)).norm();
    std::vector<int> order(triangles_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int s, int t) { return area[s] > area[t]; });
    return order;
  }

  // The triangles connected with `seed` whose corners all lie in its plane.
  std::vector<int> grow(int seed) {
    const int patch = static_cast<int>(outlines_.size());
    const Vector3d normal = areaVector(seed).normalized();
    const Vector3d origin = points_[triangles_[seed].corner[0]];
    std::vector<int> members{seed};
    patch_[seed] = patch;
    for (std::size_t k = 0; k < members.size(); ++k) {
      for (int n : triangles_[members[k]].neighbor) {
        const auto& corner = triangles_[n].corner;
        const bool inPlane = std::all_of(corner.begin(), corner.end(), [&](int c) {
          return std::abs(normal.dot(points_[c] - origin)) <= kCoplanar;
        });
        if (patch_[n] >= 0 || !inPlane) continue;
        patch_[n] = patch;
        members.push_back(n);
      }
    }
    return members;
  }

  // The common outline of the members; empty if it is not one simple loop, in which case they go to loose_.
  std::vector<int> outlineOf(const std::vector<int>& members) {
    std::vector<std::pair<int, int>> edges;
    for (int t : members) {
      for (std::size_t k = 0; k < 3; ++k) {
        if (patch_[triangles_[t].neighbor[k]] == patch_[t]) continue;
        edges.emplace_back(triangles_[t].corner[k], triangles_[t].corner[(k + 1) % 3]);
      }
    }
    if (edges.empty()) throw std::invalid_argument(kFlat);  // all triangles are in one plane
    std::sort(edges.begin(), edges.end());
    std::vector<int> loop;
    for (int corner = edges.front().first; loop.size() < edges.size();) {
      loop.push_back(corner);
      corner = std::lower_bound(edges.begin(), edges.end(), std::pair(corner, -1))->second;
      if (corner == loop.front()) break;
    }
    if (loop.size() == edges.size()) return loop;
    loose_.insert(loose_.end(), members.begin(), members.end());
    return {};
  }

  // A point where only two faces meet lies on their common edge.
  void dropPointsOnEdges() {
    std::erase_if(outlines_, [](const auto& outline) { return outline.empty(); });
    std::vector<int> facesAt(points_.size(), 0);
    for (const auto& outline : outlines_) {
      for (int c : outline) ++facesAt[c];
    }
    for (auto& outline : outlines_) {
      std::erase_if(outline, [&](int c) { return facesAt[c] < 3; });
    }
    std::erase_if(outlines_, [](const auto& outline) { return outline.size() < 3; });
  }

  const std::vector<Triangle>& triangles_;
  const std::vector<Vector3d>& points_;
  std::vector<int> patch_;
  std::vector<int> loose_;
  std::vector<std::vector<int>> outlines_;
};

// Normal of a polygon: the sum of the area vectors of its triangle fan.
Vector3d polygonNormal(const std::vector<Vector3d>& points, const std::vector<int>& outline) {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t k = 1; k + 1 < outline.size(); ++k) {
    sum += (points[outline[k]] - points[outline[0]]).cross(points[outline[k + 1]] - points[outline[0]]);
  }
  return sum.normalized();
}

}  // namespace

ConvexHull convexHull(std::span<const Vector3d> points) {
  if (points.size() < 4) throw std::invalid_argument("convex hull: a solid needs at least four points");
  const std::vector<Vector3d> scaled = normalized(points);
  const std::vector<Triangle> triangles = Quickhull(scaled).run();

  ConvexHull hull;
  hull.faces = FaceMerger(triangles, scaled).run();
  for (const auto& face : hull.faces) hull.normals.push_back(polygonNormal(scaled, face));

  std::vector<int> renumbered(points.size(), -1);
  for (const auto& face : hull.faces) {
    for (int c : face) renumbered[c] = 0;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (renumbered[i] < 0) continue;
    renumbered[i] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[i]);
  }
  for (auto& face : hull.faces) {
    for (int& c : face) c = renumbered[c];
  }
  return hull;
}

}  // namespace tenon::physics
