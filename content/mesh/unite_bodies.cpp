// Makes a mesh of the exposed pieces of all triangles.
#include "content/mesh/unite_bodies.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "content/mesh/exact_points.h"
#include "content/mesh/exposed_pieces.h"
#include "content/mesh/flip_needles.h"
#include "content/mesh/triangle_bvh.h"
#include "content/mesh/unite_touching.h"

namespace tenon::content {
namespace {

/// Below it, and above its inverse, products of coordinates are no longer accurate [m].
constexpr double kLeastWeldDistance = 1e-60;

/// Height of a triangle that rounding may leave, in weld distances [-].
constexpr double kNeedle = 0.05;

/// Triangles of pieces whose borders go through all corners that lie on them: neighbors then share whole
/// edges.
class ExactTriangulation {
 public:
  explicit ExactTriangulation(const ExposedPieces& bodies)
      : bodies_(bodies),
        corners_(cornersOf(bodies.pieces())),
        tree_(pointsOf(bodies, corners_)),
        indexOf_(static_cast<std::size_t>(bodies.points().count()), -1) {
    for (std::size_t k = 0; k < corners_.size(); ++k) {
      indexOf_[static_cast<std::size_t>(corners_[k])] = static_cast<int>(k);
      mesh_.vertices.push_back(bodies.position(corners_[k]));
    }
  }

  void add(const TrianglePiece& piece, int triangle, int source) {
    std::vector<int> border;
    for (std::size_t k = 0; k < piece.corners.size(); ++k)
      addSide(piece.corners[k], piece.corners[(k + 1) % piece.corners.size()], bodies_.face(triangle),
              piece.sides[k].exact, border);
    if (border.size() == 3) {
      addTriangle(border[0], border[1], border[2], source);
      return;
    }
    // About the middle, so that no triangle lies along the border.
    Vector3d sum = Vector3d::Zero();
    for (const int c : border) sum += mesh_.vertices[static_cast<std::size_t>(c)];
    const auto middle = static_cast<int>(mesh_.vertices.size());
    mesh_.vertices.emplace_back(sum / static_cast<double>(border.size()));
    for (std::size_t k = 0; k < border.size(); ++k)
      addTriangle(border[k], border[(k + 1) % border.size()], middle, source);
  }

  const TriangleMesh& mesh() const { return mesh_; }
  /// Of each triangle of mesh().
  const std::vector<int>& sources() const { return sources_; }

 private:
  static std::vector<int> cornersOf(const std::vector<TrianglePiece>& pieces) {
    std::vector<int> corners;
    for (const TrianglePiece& piece : pieces)
      corners.insert(corners.end(), piece.corners.begin(), piece.corners.end());
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    return corners;
  }
  static std::vector<TriangleCorners> pointsOf(const ExposedPieces& bodies, const std::vector<int>& corners) {
    std::vector<TriangleCorners> points;
    for (const int c : corners) {
      const Vector3d& p = bodies.points().rounded(c);
      points.push_back({p, p, p});
    }
    return points;
  }

  void addTriangle(int a, int b, int c, int source) {
    mesh_.triangles.push_back({a, b, c});
    sources_.push_back(source);
  }

  /// Appends `from` and the corners on the way to `to`, on the line where two planes meet.
  void addSide(int from, int to, const GridPlane& face, const GridPlane& side,
               std::vector<int>& border) const {
    const ExactPoints& points = bodies_.points();
    border.push_back(indexOf_[static_cast<std::size_t>(from)]);
    Eigen::AlignedBox3d box = Eigen::AlignedBox3d(points.rounded(from)).extend(points.rounded(to));
    box.min().array() -= kPointRounding;
    box.max().array() += kPointRounding;
    int axis = 0, way = 0;
    while ((way = compareAlong(axis, points[from], points[to])) == 0 && axis < 2) ++axis;
    std::vector<int> found;
    tree_.visitOverlapping(box, [&](int k) {
      const int c = corners_[static_cast<std::size_t>(k)];
      if (points.side(face, c) == 0 && points.side(side, c) == 0 &&
          compareAlong(axis, points[from], points[c]) == way &&
          compareAlong(axis, points[c], points[to]) == way)
        found.push_back(c);
    });
    std::sort(found.begin(), found.end(),
              [&](int a, int b) { return compareAlong(axis, points[a], points[b]) == way; });
    for (const int c : found) border.push_back(indexOf_[static_cast<std::size_t>(c)]);
  }

  const ExposedPieces& bodies_;
  std::vector<int> corners_;  ///< of all pieces, each once
  TriangleBvh tree_;          ///< of these, in units of the grid
  std::vector<int> indexOf_;  ///< of each point: its vertex in mesh_
  TriangleMesh mesh_;
  std::vector<int> sources_;
};

/// The largest distance of a corner or a middle of the folds from a mesh [m], and where.
std::pair<double, Vector3d> foldOf(const ExposedPieces& bodies, const TriangleMesh& mesh) {
  std::pair<double, Vector3d> largest(0, Vector3d::Zero());
  if (bodies.folds().empty()) return largest;
  const TriangleBvh tree(trianglesOf(mesh));
  const auto measure = [&](const Vector3d& p) {
    const double distance = tree.nearest(p).distance;
    if (distance > largest.first) largest = {distance, p};
  };
  for (const TrianglePiece& piece : bodies.folds()) {
    Vector3d sum = Vector3d::Zero();
    for (const int c : piece.corners) {
      measure(bodies.position(c));
      sum += bodies.position(c);
    }
    measure(sum / static_cast<double>(piece.corners.size()));
  }
  return largest;
}

/// Without the report of the repair before.
UnitedBodies uniteExactly(const RepairedMesh& mesh, double foldDepth) {
  UnitedBodies result;
  if (!(mesh.weldDistance > kLeastWeldDistance && mesh.weldDistance < 1 / kLeastWeldDistance)) return result;
  const ExposedPieces bodies(mesh);
  result.areTooMany = bodies.areTooMany();
  if (bodies.hidden() == 0 || bodies.pieces().empty() || bodies.areTooMany() || !bodies.isDecided())
    return result;
  ExactTriangulation triangulation(bodies);
  for (std::size_t k = 0; k < bodies.pieces().size(); ++k) {
    const int triangle = bodies.triangles()[k];
    triangulation.add(bodies.pieces()[k], triangle, mesh.sources[static_cast<std::size_t>(triangle)]);
  }
  std::tie(result.foldDepth, result.foldPosition) = foldOf(bodies, triangulation.mesh());
  if (result.foldDepth > foldDepth) return result;
  const double depth = std::exchange(result.foldDepth, 0);
  RepairedMesh united = repairMesh(triangulation.mesh(), AmbiguousEdges::link);
  // A hole that the repair has filled was a piece lost.
  if (!united.report.isClosed() || united.report.filledTriangles > 0) return result;
  flipNeedles(kNeedle * mesh.weldDistance, united);
  for (int& source : united.sources) source = triangulation.sources()[static_cast<std::size_t>(source)];
  united.report.hiddenTriangles = bodies.hidden();
  united.report.foldedTriangles = bodies.folded();
  united.report.foldDepth = depth;
  result.mesh = std::move(united);
  return result;
}

/// The report of two repairs.
MeshReport reportOf(const MeshReport& before, const MeshReport& after) {
  MeshReport report = before;
  report.remaining = after.remaining;
  report.bodies = after.bodies;
  report.splitEdges += after.splitEdges;
  report.joinedVertices += after.joinedVertices;
  report.splitOffset = std::max(report.splitOffset, after.splitOffset);
  report.joinedOffset = std::max(report.joinedOffset, after.joinedOffset);
  report.unitedBodies = before.bodies;
  report.hiddenTriangles = after.hiddenTriangles;
  report.foldedTriangles = after.foldedTriangles;
  report.foldDepth = after.foldDepth;
  return report;
}

}  // namespace

// By comparisons with a tolerance first: where they succeed, large faces of touching bodies remain whole.
UnitedBodies uniteBodies(const RepairedMesh& mesh, double foldDepth) {
  TouchingUnion touching = uniteTouching(mesh);
  UnitedBodies result;
  if (touching.isNothingHidden) return result;
  if (touching.mesh)
    result.mesh = std::move(touching.mesh);
  else
    result = uniteExactly(mesh, foldDepth);
  if (result.mesh) result.mesh->report = reportOf(mesh.report, result.mesh->report);
  return result;
}

}  // namespace tenon::content
