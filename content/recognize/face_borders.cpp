// See face_borders.h.
#include "content/recognize/face_borders.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace tenon::content {
namespace {

using Eigen::Vector2d;

/// Points nearer to a line lie on it [m].
constexpr double kOnChord = 1e-6;

/// Distance of c to the left of the line from a to b [m].
double turn(const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  const Vector2d d = (b - a).normalized();
  const double left = d.x() * (c.y() - a.y()) - d.y() * (c.x() - a.x());
  return std::abs(left) < kOnChord ? 0 : left;
}

/// By point: 1 for the corners of the convex hull and what lies on its sides (Andrew's chain).
std::vector<char> hullOf(const std::vector<Vector2d>& p) {
  std::vector<std::size_t> order(p.size());
  for (std::size_t k = 0; k < p.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return std::pair(p[i].x(), p[i].y()) < std::pair(p[j].x(), p[j].y());
  });
  std::vector<char> isOnHull(p.size(), 0);
  for (const double side : {1.0, -1.0}) {
    std::vector<std::size_t> chain;
    for (const std::size_t k : order) {
      while (chain.size() > 1 && side * turn(p[chain[chain.size() - 2]], p[chain.back()], p[k]) < 0)
        chain.pop_back();
      chain.push_back(k);
    }
    for (const std::size_t k : chain) isOnHull[k] = 1;
  }
  return isOnHull;
}

}  // namespace

FaceBorders::FaceBorders(const physics::BoundarySolid& solid, const std::vector<SolidFace>& faces)
    : solid_(solid), faces_(faces), faceOf_(solid.triangles.size(), -1) {
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (const int t : faces[f].triangles) faceOf_[static_cast<std::size_t>(t)] = static_cast<int>(f);
  for (std::size_t t = 0; t < solid.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) triangleAt_.emplace_back(sideOf(t, k), static_cast<int>(t));
  std::sort(triangleAt_.begin(), triangleAt_.end());
}

int FaceBorders::triangleBeyond(const MeshSide& side) const {
  const MeshSide other(side.second, side.first);
  const auto at = std::lower_bound(triangleAt_.begin(), triangleAt_.end(), std::pair(other, -1));
  return at != triangleAt_.end() && at->first == other ? at->second : -1;
}

std::vector<BorderLoop> FaceBorders::bordersOf(int f) const {
  std::multimap<int, MeshSide> from;
  for (const int t : faces_[static_cast<std::size_t>(f)].triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const MeshSide side = sideOf(static_cast<std::size_t>(t), k);
      if (faceBeyond(side) != f) from.emplace(side.first, side);
    }
  std::vector<BorderLoop> loops;
  while (!from.empty()) {
    BorderLoop loop;
    for (auto next = from.begin(); next != from.end(); next = from.find(loop.back().second)) {
      loop.push_back(next->second);
      from.erase(next);
    }
    if (loop.size() > 2 && loop.back().second == loop.front().first) loops.push_back(std::move(loop));
  }
  return loops;
}

double FaceBorders::areaOf(const BorderLoop& loop, const Vector3d& out) const {
  double area = 0;
  for (const MeshSide& side : loop)
    area += 0.5 * out.dot((point(side.first) - point(loop.front().first))
                              .cross(point(side.second) - point(loop.front().first)));
  return area;
}

std::vector<BorderLoop> FaceBorders::notchesOf(const BorderLoop& loop, const Vector3d& out) const {
  const Vector3d x = out.unitOrthogonal(), y = out.cross(x);
  std::vector<Vector2d> p;
  for (const MeshSide& side : loop) p.emplace_back(x.dot(point(side.first)), y.dot(point(side.first)));
  const auto isOnHull = hullOf(p);
  const auto first =
      static_cast<std::size_t>(std::find(isOnHull.begin(), isOnHull.end(), 1) - isOnHull.begin());
  std::vector<BorderLoop> notches;
  BorderLoop notch;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const std::size_t at = (first + k) % loop.size(), next = (at + 1) % loop.size();
    notch.push_back(loop[at]);
    if (isOnHull[next] == 0) continue;
    if (notch.size() > 2) notches.push_back(notch);
    notch.clear();
  }
  return notches;
}

}  // namespace tenon::content
