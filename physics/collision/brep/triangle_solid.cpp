// See triangle_solid.h.
#include "physics/collision/brep/triangle_solid.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace tenon::physics::brep {
namespace {

/// Sine of the angle between two directions below which borders are collinear [-].
constexpr double kCollinear = 1e-9;
/// Faces that meet with a smaller sine of the angle between their normals are smooth there [-].
constexpr double kSmoothEdge = 1e-8;
/// Normals of coplanar triangles differ by less: slivers aside [-].
constexpr double kSameSide = 0.9;

// An edge of the mesh, as its first triangle runs along it.
struct MeshEdge {
  int from = 0, to = 0;
  int left = -1, right = -1;  // triangles: of from → to, and of to → from
};

class TriangleSolid {
 public:
  TriangleSolid(std::span<const Vector3d> vertices, std::span<const std::array<int, 3>> triangles)
      : vertices_(vertices), triangles_(triangles) {}

  Solid build(double depthLimit) {
    findEdges();
    findNormals();
    growRegions();
    addFaces();
    addEdges();
    addVertices();
    solid_.finish(depthLimit);
    return std::move(solid_);
  }

 private:
  const Vector3d& corner(std::size_t t, int k) const {
    return vertices_[static_cast<std::size_t>(triangles_[t][static_cast<std::size_t>(k % 3)])];
  }
  const Vector3d& at(int v) const { return vertices_[static_cast<std::size_t>(v)]; }
  int regionOf(int triangle) const { return region_[static_cast<std::size_t>(triangle)]; }
  bool isBorder(const MeshEdge& e) const { return regionOf(e.left) != regionOf(e.right); }

  void findEdges();
  void findNormals();
  void growRegions();
  void grow(std::size_t seed);
  bool fits(std::size_t t, const Vector3d& p, const Vector3d& n) const;
  // So thin that its normal is rounding.
  bool isSliver(std::size_t t) const {
    const double longest =
        std::max({(corner(t, 1) - corner(t, 0)).norm(), (corner(t, 2) - corner(t, 1)).norm(),
                  (corner(t, 0) - corner(t, 2)).norm()});
    return areas_[t] < 10 * kCoplanar * longest;
  }
  void addFaces();
  void addEdges();
  void addVertices();
  bool isConvex(const MeshEdge& e) const;
  bool continuesThrough(int v) const;
  std::vector<std::pair<int, int>> bordersOf(int v) const;

  std::span<const Vector3d> vertices_;
  std::span<const std::array<int, 3>> triangles_;
  std::vector<MeshEdge> edges_;
  std::vector<std::array<int, 3>> edgesOf_;  // of each triangle: edge k from its corner k to corner k + 1
  std::vector<Vector3d> normals_;            // of the triangles, unit
  std::vector<double> areas_;
  std::vector<int> region_;              // of each triangle
  std::vector<Vector3d> regionNormals_;  // unit
  std::vector<Vector3d> regionOrigins_;
  std::vector<int> firstBorder_, borders_;  // border edges by vertex
  Solid solid_;
};

void TriangleSolid::findEdges() {
  struct Side {
    int low, high, triangle, corner;
  };
  std::vector<Side> sides;
  sides.reserve(3 * triangles_.size());
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto& corners = triangles_[static_cast<std::size_t>(t)];
      const auto [low, high] =
          std::minmax(corners[static_cast<std::size_t>(k)], corners[static_cast<std::size_t>((k + 1) % 3)]);
      sides.push_back({low, high, t, k});
    }
  const auto key = [](const Side& s) { return std::tie(s.low, s.high, s.triangle, s.corner); };
  std::sort(sides.begin(), sides.end(), [&](const Side& s, const Side& t) { return key(s) < key(t); });
  edgesOf_.resize(triangles_.size());
  const auto startOf = [&](const Side& s) {
    return triangles_[static_cast<std::size_t>(s.triangle)][static_cast<std::size_t>(s.corner)];
  };
  for (std::size_t n = 0; n < sides.size(); n += 2) {
    const Side& one = sides[n];
    if (n + 1 == sides.size() || sides[n + 1].low != one.low || sides[n + 1].high != one.high)
      throw std::invalid_argument("an edge belongs to one triangle only");
    const Side& two = sides[n + 1];
    const bool isThird = n + 2 < sides.size() && sides[n + 2].low == one.low && sides[n + 2].high == one.high;
    if (isThird || startOf(one) == startOf(two))
      throw std::invalid_argument("an edge is not shared by two triangles in opposite directions");
    const int from = startOf(one);
    for (const Side* side : {&one, &two})
      edgesOf_[static_cast<std::size_t>(side->triangle)][static_cast<std::size_t>(side->corner)] =
          static_cast<int>(edges_.size());
    edges_.push_back({from, from == one.low ? one.high : one.low, one.triangle, two.triangle});
  }
}

void TriangleSolid::findNormals() {
  normals_.resize(triangles_.size());
  areas_.resize(triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const Vector3d across = (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0));
    areas_[t] = 0.5 * across.norm();
    normals_[t] = across.normalized();  // zero for one without area
  }
}

bool TriangleSolid::fits(std::size_t t, const Vector3d& p, const Vector3d& n) const {
  for (int k = 0; k < 3; ++k)
    if (std::abs(n.dot(corner(t, k) - p)) > kCoplanar) return false;
  return isSliver(t) || normals_[t].dot(n) > kSameSide;
}

// From the largest triangles, whose normals are the most accurate.
void TriangleSolid::growRegions() {
  std::vector<std::size_t> order(triangles_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t s, std::size_t t) {
    return areas_[s] > areas_[t] || (areas_[s] == areas_[t] && s < t);
  });
  region_.assign(triangles_.size(), -1);
  for (const std::size_t seed : order)
    if (region_[seed] < 0) grow(seed);
}

void TriangleSolid::grow(std::size_t seed) {
  if (!(areas_[seed] > 0)) throw std::invalid_argument("a triangle has no area");
  const auto region = static_cast<int>(regionNormals_.size());
  const Vector3d n = normals_[seed], p = corner(seed, 0);
  std::vector<std::size_t> open{seed};
  region_[seed] = region;
  while (!open.empty()) {
    const std::size_t t = open.back();
    open.pop_back();
    for (const int e : edgesOf_[t]) {
      const MeshEdge& edge = edges_[static_cast<std::size_t>(e)];
      const auto next = static_cast<std::size_t>(edge.left == static_cast<int>(t) ? edge.right : edge.left);
      if (region_[next] >= 0 || !fits(next, p, n)) continue;
      region_[next] = region;
      open.push_back(next);
    }
  }
  regionNormals_.push_back(n);
  regionOrigins_.push_back(p);
}

void TriangleSolid::addFaces() {
  solid_.faces.resize(regionNormals_.size());
  for (std::size_t r = 0; r < solid_.faces.size(); ++r) {
    Surface& surface = solid_.faces[r].surface;
    const Vector3d n = regionNormals_[r], x = n.unitOrthogonal();
    surface.X_BS.R << x, n.cross(x), n;
    surface.X_BS.p = regionOrigins_[r];
  }
  const auto border = [&](int region, const MeshEdge& e) {
    Face& face = solid_.faces[static_cast<std::size_t>(region)];
    const RigidTransform& X = face.surface.X_BS;
    const auto flat = [&](const Vector3d& p) { return Vector2d((X.R.transpose() * (p - X.p)).head<2>()); };
    face.trim.addLine(flat(at(e.from)), flat(at(e.to)));
    for (const int v : {e.from, e.to}) physics::include(face.bounds, Bounds{at(v), at(v)});
  };
  for (const MeshEdge& e : edges_) {
    if (!isBorder(e)) continue;
    border(regionOf(e.left), e);
    border(regionOf(e.right), e);
  }
  for (Face& face : solid_.faces) face.trim.finish(false);
}

bool TriangleSolid::isConvex(const MeshEdge& e) const {
  const Vector3d &l = regionNormals_[static_cast<std::size_t>(regionOf(e.left))],
                 &r = regionNormals_[static_cast<std::size_t>(regionOf(e.right))];
  return l.cross(r).dot((at(e.to) - at(e.from)).normalized()) > kSmoothEdge;
}

std::vector<std::pair<int, int>> TriangleSolid::bordersOf(int v) const {
  std::vector<std::pair<int, int>> out;  // edge, other end
  for (int n = firstBorder_[static_cast<std::size_t>(v)]; n < firstBorder_[static_cast<std::size_t>(v) + 1];
       ++n) {
    const int e = borders_[static_cast<std::size_t>(n)];
    const MeshEdge& edge = edges_[static_cast<std::size_t>(e)];
    out.emplace_back(e, edge.from == v ? edge.to : edge.from);
  }
  return out;
}

// True where two collinear borders between the same two faces meet, and no other.
bool TriangleSolid::continuesThrough(int v) const {
  const auto around = bordersOf(v);
  if (around.size() != 2) return false;
  const auto faces = [&](int e) {
    const MeshEdge& edge = edges_[static_cast<std::size_t>(e)];
    return std::minmax({regionOf(edge.left), regionOf(edge.right)});
  };
  const Vector3d d0 = (at(around[0].second) - at(v)).normalized(),
                 d1 = (at(around[1].second) - at(v)).normalized();
  return faces(around[0].first) == faces(around[1].first) && d0.dot(d1) < 0 &&
         d0.cross(d1).norm() < kCollinear;
}

void TriangleSolid::addEdges() {
  firstBorder_.assign(vertices_.size() + 1, 0);
  for (const MeshEdge& e : edges_)
    if (isBorder(e))
      for (const int v : {e.from, e.to}) ++firstBorder_[static_cast<std::size_t>(v) + 1];
  std::partial_sum(firstBorder_.begin(), firstBorder_.end(), firstBorder_.begin());
  borders_.resize(static_cast<std::size_t>(firstBorder_.back()));
  std::vector<int> next(firstBorder_.begin(), firstBorder_.end() - 1);
  for (std::size_t e = 0; e < edges_.size(); ++e)
    if (isBorder(edges_[e]))
      for (const int v : {edges_[e].from, edges_[e].to})
        borders_[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<int>(e);

  std::vector<char> isDone(edges_.size(), 0);
  // The end of the straight border that leaves `v` along edge `e`.
  const auto follow = [&](int e, int v) {
    const int start = v;
    for (;;) {
      isDone[static_cast<std::size_t>(e)] = 1;
      const MeshEdge& edge = edges_[static_cast<std::size_t>(e)];
      v = edge.from == v ? edge.to : edge.from;
      if (v == start || !continuesThrough(v)) return v;
      const auto around = bordersOf(v);
      e = around[0].first == e ? around[1].first : around[0].first;
    }
  };
  for (std::size_t k = 0; k < edges_.size(); ++k) {
    const MeshEdge& e = edges_[k];
    if (!isBorder(e) || isDone[k] || !isConvex(e)) continue;
    const int first = follow(static_cast<int>(k), e.to), last = follow(static_cast<int>(k), e.from);
    const Vector3d &from = at(first), &to = at(last);
    Edge edge;
    edge.curve.p = from;
    edge.curve.x = (to - from).normalized();
    edge.curve.y = edge.curve.x.unitOrthogonal();
    edge.curve.range = {0, (to - from).norm()};
    edge.before = regionOf(e.left);
    edge.after = regionOf(e.right);
    edge.from = first;  // vertices of the mesh, until those of the solid are known
    edge.to = last;
    solid_.edges.push_back(edge);
  }
}

// With a face whose corner is reflex there, the tangent cone reaches beyond its edges: the middle of that
// corner is added.
void TriangleSolid::addVertices() {
  std::vector<std::vector<std::pair<int, int>>> corners(vertices_.size());  // triangle, corner
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      corners[static_cast<std::size_t>(triangles_[t][k])].emplace_back(static_cast<int>(t),
                                                                       static_cast<int>(k));
  std::vector<int> indexOf(vertices_.size(), -1);
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    const auto around = bordersOf(static_cast<int>(v));
    const bool hasConvexEdge = std::any_of(around.begin(), around.end(), [&](const auto& border) {
      return isConvex(edges_[static_cast<std::size_t>(border.first)]);
    });
    if (!hasConvexEdge || continuesThrough(static_cast<int>(v))) continue;
    Vertex vertex;
    vertex.p = vertices_[v];
    for (const auto& [e, end] : around) vertex.outgoing.push_back((at(end) - vertex.p).normalized());
    std::sort(corners[v].begin(), corners[v].end(), [&](const auto& s, const auto& t) {
      return std::pair(regionOf(s.first), s) < std::pair(regionOf(t.first), t);
    });
    vertex.slack = 0;
    for (const auto& one : corners[v])
      for (const auto& two : corners[v])
        vertex.slack = std::max(vertex.slack,
                                facingSlack(regionNormals_[static_cast<std::size_t>(regionOf(one.first))],
                                            regionNormals_[static_cast<std::size_t>(regionOf(two.first))]));
    for (std::size_t first = 0, last = 0; first < corners[v].size(); first = last) {
      double angle = 0;
      Vector3d middle = Vector3d::Zero();
      for (;
           last < corners[v].size() && regionOf(corners[v][last].first) == regionOf(corners[v][first].first);
           ++last) {
        const auto [t, k] = corners[v][last];
        const Vector3d d0 = (corner(static_cast<std::size_t>(t), k + 1) - vertex.p).normalized(),
                       d1 = (corner(static_cast<std::size_t>(t), k + 2) - vertex.p).normalized();
        const double part = std::atan2(d0.cross(d1).norm(), d0.dot(d1));
        angle += part;
        middle += std::tan(0.5 * part) * (d0 + d1);  // ∫ of the unit directions over the corner
      }
      if (angle > std::numbers::pi && middle.norm() > 0) vertex.outgoing.push_back(middle.normalized());
    }
    indexOf[v] = static_cast<int>(solid_.vertices.size());
    solid_.vertices.push_back(std::move(vertex));
  }
  for (Edge& edge : solid_.edges) {
    edge.from = indexOf[static_cast<std::size_t>(edge.from)];
    edge.to = indexOf[static_cast<std::size_t>(edge.to)];
  }
}

}  // namespace

Solid solidOfTriangles(std::span<const Vector3d> vertices, std::span<const std::array<int, 3>> triangles,
                       double depthLimit) {
  return TriangleSolid(vertices, triangles).build(depthLimit);
}

}  // namespace tenon::physics::brep
