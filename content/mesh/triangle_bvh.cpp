// Axis-aligned bounding boxes, split at the median along the longest side.
#include "content/mesh/triangle_bvh.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "physics/math/parallel_for.h"

namespace tenon::content {
namespace {

constexpr int kLeafTriangles = 4;
/// Nodes of at most so many triangles are built on all processors.
constexpr int kDelayed = 1 << 15;

/// True if the ray p + t·d, t ≥ 0, intersects the box; `inverse`: 1/d per component.
bool rayIntersects(const Eigen::AlignedBox3d& box, const Vector3d& p, const Vector3d& inverse) {
  const Vector3d a = (box.min() - p).cwiseProduct(inverse), b = (box.max() - p).cwiseProduct(inverse);
  const double enter = a.cwiseMin(b).maxCoeff(), leave = a.cwiseMax(b).minCoeff();
  return leave >= std::max(enter, 0.0);
}

/// +1 if the ray leaves through the triangle, −1 if it enters, 0 if it misses (Möller & Trumbore 1997).
int signedIntersection(const TriangleCorners& t, const Vector3d& p, const Vector3d& d) {
  const Vector3d e1 = t[1] - t[0], e2 = t[2] - t[0], h = d.cross(e2);
  const double det = e1.dot(h);
  if (det == 0) return 0;
  const Vector3d s = p - t[0], q = s.cross(e1);
  const double u = s.dot(h) / det, v = d.dot(q) / det;
  if (u < 0 || v < 0 || u + v > 1 || e2.dot(q) / det < 0) return 0;
  return det < 0 ? 1 : -1;  // det = −d · (e1 × e2)
}

}  // namespace

std::vector<TriangleCorners> trianglesOf(const TriangleMesh& mesh) {
  std::vector<TriangleCorners> list;
  list.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles)
    list.push_back({mesh.vertices[static_cast<std::size_t>(t[0])],
                    mesh.vertices[static_cast<std::size_t>(t[1])],
                    mesh.vertices[static_cast<std::size_t>(t[2])]});
  return list;
}

/// By the Voronoi region that p is in (Ericson, Real-Time Collision Detection, 5.1.5).
Vector3d closestPointOnTriangle(const TriangleCorners& triangle, const Vector3d& p) {
  const auto& [a, b, c] = triangle;
  const Vector3d ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const Vector3d bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return d1 == d3 ? a : Vector3d(a + d1 / (d1 - d3) * ab);
  const Vector3d cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return d2 == d6 ? a : Vector3d(a + d2 / (d2 - d6) * ac);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double sum = (d4 - d3) + (d5 - d6);
    return sum == 0 ? b : Vector3d(b + (d4 - d3) / sum * (c - b));
  }
  const double sum = va + vb + vc;
  return a + vb / sum * ab + vc / sum * ac;
}

TriangleBvh::TriangleBvh(std::vector<TriangleCorners> triangles)
    : triangles_(std::move(triangles)), order_(triangles_.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (triangles_.empty()) return;
  nodes_.resize(nodeCount(count()));
  Boxes boxes;
  boxes.boxes.resize(triangles_.size());
  boxes.centers.resize(triangles_.size());
  constexpr std::size_t kGrain = 1 << 14;
  physics::parallelFor(triangles_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      boxes.boxes[k] = boundsOf(static_cast<int>(k));
      boxes.centers[k] = boxes.boxes[k].center();
    }
  });
  std::vector<std::array<int, 3>> delayed;
  build(boxes, 0, 0, count(), &delayed);
  physics::parallelFor(delayed.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k)
      build(boxes, delayed[k][0], delayed[k][1], delayed[k][2], nullptr);
  });
}

std::size_t TriangleBvh::nodeCount(int triangles) {
  if (triangles <= kLeafTriangles) return 1;
  return 1 + nodeCount(triangles / 2) + nodeCount(triangles - triangles / 2);
}

Eigen::AlignedBox3d TriangleBvh::boundsOf(int index) const {
  const TriangleCorners& t = triangle(index);
  return Eigen::AlignedBox3d(t[0]).extend(t[1]).extend(t[2]);
}

void TriangleBvh::build(const Boxes& boxes, int at, int begin, int end,
                        std::vector<std::array<int, 3>>* delayed) {
  if (delayed != nullptr && end - begin <= kDelayed) {
    delayed->push_back({at, begin, end});
    return;
  }
  Node& node = nodes_[static_cast<std::size_t>(at)];
  node.begin = begin;
  node.end = end;
  Eigen::AlignedBox3d centers;
  for (int k = begin; k < end; ++k) {
    const auto index = static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]);
    node.box.extend(boxes.boxes[index]);
    centers.extend(boxes.centers[index]);
  }
  if (end - begin <= kLeafTriangles) return;
  Eigen::Index axis = 0;
  centers.sizes().maxCoeff(&axis);
  const int middle = begin + (end - begin) / 2;
  const auto before = [&](int a, int b) {
    const double x = boxes.centers[static_cast<std::size_t>(a)][axis],
                 y = boxes.centers[static_cast<std::size_t>(b)][axis];
    return x != y ? x < y : a < b;
  };
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, before);
  node.right = at + 1 + static_cast<int>(nodeCount(middle - begin));
  build(boxes, at + 1, begin, middle, delayed);
  build(boxes, node.right, middle, end, delayed);
}

TriangleBvh::Nearest TriangleBvh::nearest(const Vector3d& p, double guess) const {
  constexpr double kLeast = 1e-9, kMost = 0.1, kGrowth = 16;  // [m], [m], [-]
  if (nodes_.empty()) return {};
  for (guess = std::max(guess, kLeast);;
       guess = guess < kMost ? kGrowth * guess : std::numeric_limits<double>::infinity())
    if (const Nearest found = nearestWithin(p, guess); found.triangle >= 0 || std::isinf(guess)) return found;
}

TriangleBvh::Nearest TriangleBvh::nearestWithin(const Vector3d& p, double distance) const {
  Nearest best;
  double best2 = distance * distance;             // of the closest one so far
  std::array<std::pair<double, int>, 128> stack;  // a median tree is at most 31 deep
  std::size_t size = 0;
  stack[size++] = {nodes_[0].box.squaredExteriorDistance(p), 0};
  while (size > 0) {
    const auto [square, at] = stack[--size];
    if (square >= best2) continue;
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    if (node.right < 0) {
      for (int k = node.begin; k < node.end; ++k) {
        const int index = order_[static_cast<std::size_t>(k)];
        const double own = (closestPointOnTriangle(triangle(index), p) - p).squaredNorm();
        if (own < best2) best2 = own, best.triangle = index;
      }
      continue;
    }
    std::pair<double, int> left{nodes_[static_cast<std::size_t>(at) + 1].box.squaredExteriorDistance(p),
                                at + 1};
    std::pair<double, int> right{nodes_[static_cast<std::size_t>(node.right)].box.squaredExteriorDistance(p),
                                 node.right};
    if (left.first < right.first) std::swap(left, right);
    if (left.first < best2) stack[size++] = left;
    if (right.first < best2) stack[size++] = right;
  }
  if (best.triangle >= 0) best.distance = std::sqrt(best2);
  return best;
}

int TriangleBvh::windingAlong(const Vector3d& p, const Vector3d& direction) const {
  const Vector3d inverse = direction.cwiseInverse();
  int sum = 0;
  std::array<int, 128> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int at = stack[--size];
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    if (!rayIntersects(node.box, p, inverse)) continue;
    if (node.right >= 0) {
      stack[size++] = node.right;
      stack[size++] = at + 1;
      continue;
    }
    for (int k = node.begin; k < node.end; ++k)
      sum += signedIntersection(triangle(order_[static_cast<std::size_t>(k)]), p, direction);
  }
  return sum;
}

int TriangleBvh::windingNumber(const Vector3d& p) const {
  if (nodes_.empty() || !nodes_[0].box.contains(p)) return 0;
  // Directions parallel to no typical face. Median of three rays, in case one hits an edge.
  const std::array directions{Vector3d(0.5377, 0.2913, 0.7912), Vector3d(-0.6149, 0.7311, 0.2953),
                              Vector3d(0.3301, -0.8117, 0.4817)};
  const int first = windingAlong(p, directions[0]), second = windingAlong(p, directions[1]);
  if (first == second) return first;
  const int third = windingAlong(p, directions[2]);
  return std::max(std::min(first, second), std::min(std::max(first, second), third));
}

}  // namespace tenon::content
