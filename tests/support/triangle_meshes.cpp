// See triangle_meshes.h.
#include "tests/support/triangle_meshes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace tenon::tests {
namespace {

using physics::BoundarySolid;
using physics::Pose;
using physics::Vector3d;
using Triangle = std::array<Vector3d, 3>;

BoundarySolid icosahedron() {
  BoundarySolid p;
  const double g = std::numbers::phi;
  for (const double a : {1.0, -1.0})
    for (const double b : {g, -g}) {
      p.vertices.emplace_back(0, a, b);
      p.vertices.emplace_back(a, b, 0);
      p.vertices.emplace_back(b, 0, a);
    }
  const auto isEdge = [&](int i, int j) {
    const auto at = [&](int k) { return p.vertices[static_cast<std::size_t>(k)]; };
    return std::abs((at(i) - at(j)).norm() - 2) < 1e-9;
  };
  for (int i = 0; i < 12; ++i)
    for (int j = i + 1; j < 12; ++j)
      for (int k = j + 1; k < 12; ++k) {
        if (!isEdge(i, j) || !isEdge(j, k) || !isEdge(i, k)) continue;
        const Vector3d &a = p.vertices[static_cast<std::size_t>(i)],
                       &b = p.vertices[static_cast<std::size_t>(j)],
                       &c = p.vertices[static_cast<std::size_t>(k)];
        if ((b - a).cross(c - a).dot(a) > 0)
          p.triangles.push_back({i, j, k});
        else
          p.triangles.push_back({i, k, j});
      }
  return p;
}

void divide(BoundarySolid& p) {
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int i, int j) {
    const auto [found, isNew] = middles.try_emplace(std::minmax(i, j), static_cast<int>(p.vertices.size()));
    if (isNew)
      p.vertices.emplace_back(
          0.5 * (p.vertices[static_cast<std::size_t>(i)] + p.vertices[static_cast<std::size_t>(j)]));
    return found->second;
  };
  std::vector<std::array<int, 3>> finer;
  for (const auto& t : p.triangles) {
    const int a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
    finer.insert(finer.end(), {{t[0], a, c}, {t[1], b, a}, {t[2], c, b}, {a, b, c}});
  }
  p.triangles = std::move(finer);
}

double pointTriangle(const Vector3d& p, const Triangle& t) {
  const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  for (std::size_t k = 0; k < 3; ++k)
    if (n.dot((t[(k + 1) % 3] - t[k]).cross(p - t[k])) < 0) return HUGE_VAL;  // left to the edges
  return std::abs(n.dot(p - t[0]));
}

// Least of |p + s d − q − t e|² over the unit square: of the inner stationary point and of the four borders.
double segmentSegment(const Vector3d& p, const Vector3d& d, const Vector3d& q, const Vector3d& e) {
  const Vector3d w = p - q;
  const auto to = [](const Vector3d& x, const Vector3d& a, const Vector3d& u) {
    return (x - a - std::clamp((x - a).dot(u) / u.squaredNorm(), 0.0, 1.0) * u).norm();
  };
  double least = std::min({to(p, q, e), to(p + d, q, e), to(q, p, d), to(q + e, p, d)});
  const double a = d.dot(d), b = d.dot(e), c = e.dot(e), det = a * c - b * b;
  if (det > 0) {
    const double s = (b * w.dot(e) - c * w.dot(d)) / det, t = (a * w.dot(e) - b * w.dot(d)) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, (w + s * d - t * e).norm());
  }
  return least;
}

double triangleDistance(const Triangle& a, const Triangle& b) {
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < 3; ++i) {
    least = std::min({least, pointTriangle(a[i], b), pointTriangle(b[i], a)});
    for (std::size_t j = 0; j < 3; ++j)
      least = std::min(least, segmentSegment(a[i], a[(i + 1) % 3] - a[i], b[j], b[(j + 1) % 3] - b[j]));
  }
  return least;
}

std::vector<Triangle> trianglesOf(const BoundarySolid& p, const Pose& X) {
  std::vector<Triangle> list;
  for (const auto& t : p.triangles) {
    const auto at = [&](std::size_t k) { return Vector3d(X * p.vertices[static_cast<std::size_t>(t[k])]); };
    list.push_back({at(0), at(1), at(2)});
  }
  return list;
}

}  // namespace

BoundarySolid bumpyBall(int level, double radius, double amplitude, std::mt19937& random) {
  BoundarySolid p = icosahedron();
  for (int k = 0; k < level; ++k) divide(p);
  std::uniform_real_distribution<double> height(1 - amplitude, 1 + amplitude);
  for (Vector3d& v : p.vertices) v = radius * height(random) * v.normalized();
  return p;
}

BoundarySolid starPrism(int points, double radius, double halfLength, std::mt19937& random) {
  BoundarySolid p;
  std::uniform_real_distribution<double> inner(0.3, 0.6), outer(0.8, 1.0);
  const int n = 2 * points;
  std::vector<double> radii;
  for (int k = 0; k < n; ++k) radii.push_back(radius * (k % 2 == 0 ? outer(random) : inner(random)));
  for (const double z : {-halfLength, halfLength})
    for (int k = 0; k < n; ++k) {
      const double phase = 2 * std::numbers::pi * k / n;
      p.vertices.emplace_back(radii[static_cast<std::size_t>(k)] * std::cos(phase),
                              radii[static_cast<std::size_t>(k)] * std::sin(phase), z);
    }
  p.vertices.emplace_back(0, 0, -halfLength);
  p.vertices.emplace_back(0, 0, halfLength);
  for (int k = 0; k < n; ++k) {
    const int next = (k + 1) % n;
    p.triangles.insert(p.triangles.end(), {{k, next, next + n}, {k, next + n, k + n}});
    p.triangles.insert(p.triangles.end(), {{2 * n, next, k}, {2 * n + 1, k + n, next + n}});
  }
  return p;
}

double surfaceDistance(const BoundarySolid& a, const BoundarySolid& b, const Pose& X_BA) {
  const std::vector<Triangle> one = trianglesOf(a, X_BA), two = trianglesOf(b, Pose());
  const auto sphere = [](const Triangle& t) {
    const Vector3d c = (t[0] + t[1] + t[2]) / 3;
    return std::pair(c, std::max({(t[0] - c).norm(), (t[1] - c).norm(), (t[2] - c).norm()}));
  };
  double least = HUGE_VAL;
  for (const Triangle& s : one) {
    const auto [c, r] = sphere(s);
    for (const Triangle& t : two) {
      const auto [d, q] = sphere(t);
      if ((c - d).norm() - r - q < least) least = std::min(least, triangleDistance(s, t));
    }
  }
  return least;
}

}  // namespace tenon::tests
