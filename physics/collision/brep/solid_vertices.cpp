// See triangle_solid_builder.h: the vertices of the solid.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include "physics/collision/brep/triangle_solid_builder.h"
#include "physics/math/parallel_for.h"

namespace tenon::physics::brep {

// Unit tangent of the border e that leaves the vertex v: along the intersection of both surfaces.
Vector3d TriangleSolid::leaving(int e, int v) const {
  constexpr double kNearChord = 0.5;  // cosine: surfaces that waver about each other cross in any direction
  const MeshEdge& edge = edges_[static_cast<std::size_t>(e)];
  const Vector3d chord = (at(otherEnd(e, v)) - at(v)).normalized();
  if (isStraight(edge)) return chord;
  const Vector3d along = normalAt(regionOf(edge.left), at(v)).cross(normalAt(regionOf(edge.right), at(v)));
  const double length = along.norm();
  if (!(length > kSmoothEdge && std::abs(along.dot(chord)) > kNearChord * length)) return chord;
  return along.dot(chord) < 0 ? Vector3d(-along.normalized()) : along.normalized();
}

// The vertices of the mesh at which convex edges end.
std::vector<int> TriangleSolid::numberVertices() {
  std::vector<char> isVertex(vertices_.size(), 0);
  parallelFor(vertices_.size(), kItemsAtATime, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      const auto around = bordersOf(static_cast<int>(v));
      const bool hasConvexEdge = std::any_of(
          around.begin(), around.end(), [&](int e) { return isConvex(edges_[static_cast<std::size_t>(e)]); });
      isVertex[v] = hasConvexEdge && !continuesThrough(static_cast<int>(v)) ? 1 : 0;
    }
  });
  std::vector<int> indexOf(vertices_.size(), -1);
  int count = 0;
  for (std::size_t v = 0; v < isVertex.size(); ++v)
    if (isVertex[v] != 0) indexOf[v] = count++;
  solid_.vertices.resize(static_cast<std::size_t>(count));
  return indexOf;
}

// `corners`: of triangles, by face. With a face whose corner is reflex there, the tangent cone reaches beyond
// its edges: the middle of that corner is added.
Vertex TriangleSolid::vertexAt(int v, std::span<const Corner> corners) const {
  Vertex vertex;
  vertex.p = at(v);
  for (const int e : bordersOf(v)) vertex.outgoing.push_back(leaving(e, v));
  vertex.slack = 0;
  for (std::size_t one = 0; one < corners.size(); ++one) {
    const Vector3d normal = normalAt(corners[one].region, vertex.p);
    for (std::size_t two = 0; two <= one; ++two)
      if (two == one || corners[two].region != corners[one].region)
        vertex.slack = std::max(vertex.slack, facingSlack(normal, normalAt(corners[two].region, vertex.p)));
  }
  for (std::size_t first = 0, last = 0; first < corners.size(); first = last) {
    double angle = 0;
    Vector3d middle = Vector3d::Zero();
    for (; last < corners.size() && corners[last].region == corners[first].region; ++last) {
      const auto t = static_cast<std::size_t>(corners[last].triangle);
      const int k = corners[last].corner;
      const Vector3d d0 = (corner(t, k + 1) - vertex.p).normalized(),
                     d1 = (corner(t, k + 2) - vertex.p).normalized();
      const double part = std::atan2(d0.cross(d1).norm(), d0.dot(d1));
      angle += part;
      middle += std::tan(0.5 * part) * (d0 + d1);  // ∫ of the unit directions over the corner
    }
    if (angle > std::numbers::pi && middle.norm() > 0) vertex.outgoing.push_back(middle.normalized());
  }
  return vertex;
}

void TriangleSolid::addVertices() {
  std::vector<int> start(vertices_.size() + 1, 0);
  for (const auto& triangle : triangles_)
    for (const int v : triangle) ++start[static_cast<std::size_t>(v) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> next(start.begin(), start.end() - 1);
  std::vector<Corner> corners(3 * triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      corners[static_cast<std::size_t>(next[static_cast<std::size_t>(triangles_[t][k])]++)] = {
          region_[t], static_cast<int>(t), static_cast<int>(k)};
  const std::vector<int> indexOf = numberVertices();
  parallelFor(vertices_.size(), kItemsAtATime, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      if (indexOf[v] < 0) continue;
      const auto begin = corners.begin() + start[v], end = corners.begin() + start[v + 1];
      std::sort(begin, end, [](const Corner& s, const Corner& t) {
        return std::tie(s.region, s.triangle, s.corner) < std::tie(t.region, t.triangle, t.corner);
      });
      solid_.vertices[static_cast<std::size_t>(indexOf[v])] =
          vertexAt(static_cast<int>(v), std::span(begin, end));
    }
  });
  for (const auto& [v, region] : tips_) {
    const Surface& s = regions_[static_cast<std::size_t>(region)];
    Vertex vertex;
    vertex.p = at(v);
    for (int k = 0; k < kTipTangents; ++k) {
      const double phase = 2 * std::numbers::pi * k / kTipTangents, down = s.slope > 0 ? 1 : -1;
      const Vector3d along(down * s.slope * std::cos(phase), down * s.slope * std::sin(phase), down);
      vertex.outgoing.push_back(s.X_BS.vector(along.normalized()));
    }
    solid_.vertices.push_back(std::move(vertex));
  }
  for (Edge& edge : solid_.edges) {
    if (edge.from >= 0) edge.from = indexOf[static_cast<std::size_t>(edge.from)];
    if (edge.to >= 0) edge.to = indexOf[static_cast<std::size_t>(edge.to)];
  }
}

}  // namespace tenon::physics::brep
