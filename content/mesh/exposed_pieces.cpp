// See exposed_pieces.h.
#include "content/mesh/exposed_pieces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace tenon::content {
namespace {

/// Steps of some 3 ns that may be made, and those of comparing a piece with a plane and of a triangle at a
/// ray.
constexpr std::size_t kMaxPieceWork = 6'000'000'000, kComparison = 30, kRayTriangle = 15;

/// Of the grid, in weld distances, which are 1e-7 of the mesh's extent: coordinates stay below 2²⁷ [-].
constexpr double kUnit = 0.05;

Vector3d centerOf(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vector3d& p : mesh.vertices) box.extend(p);
  return box.center();
}

/// Of points, with some more than their rounding around them.
Eigen::AlignedBox3d boxOf(const ExactPoints& points, const std::vector<int>& corners) {
  Eigen::AlignedBox3d box;
  for (const int c : corners) box.extend(points.rounded(c));
  box.min().array() -= kPointRounding;
  box.max().array() += kPointRounding;
  return box;
}

/// The part of a piece on one side of a plane. `sideOf`: of each corner, −1, 0 or 1; `keep`: −1 or 1;
/// `crossing`: of each side of the piece, the point where the plane crosses it, if it does.
TrianglePiece partOf(const TrianglePiece& piece, const CutPlane& plane, const std::vector<int>& sideOf,
                     int keep, const std::vector<int>& crossing) {
  TrianglePiece part;
  for (std::size_t k = 0; k < piece.corners.size(); ++k) {
    const int own = keep * sideOf[k], next = keep * sideOf[(k + 1) % sideOf.size()];
    if (own >= 0) part.add(piece.corners[k], own == 0 && next < 0 ? plane : piece.sides[k]);
    if (own * next < 0) part.add(crossing[k], own > 0 ? plane : piece.sides[k]);
  }
  return part;
}

}  // namespace

ExposedPieces::ExposedPieces(const RepairedMesh& mesh)
    : mesh_(mesh), unit_(kUnit * mesh.weldDistance), origin_(centerOf(mesh.mesh)), tree_(roundToGrid()) {
  faces_.reserve(corners_.size());
  for (std::size_t t = 0; t < corners_.size(); ++t) {
    const auto& c = corners_[t];
    const Vector3d p = vertex(t, 0), n = (vertex(t, 1) - p).cross(vertex(t, 2) - p);
    faces_.push_back({planeThrough(at(c[0]), at(c[1]), at(c[2])), n, n.dot(p)});
  }
  std::vector<TrianglePiece> pieces;
  for (std::size_t t = 0; t < corners_.size() && !areTooMany_; ++t) {
    if (faces_[t].exact.isZero()) continue;
    pieces.assign(1, {});
    for (std::size_t k = 0; k < 3; ++k) pieces[0].add(corners_[t][k], sideOfTriangle(t, k));
    pieces[0].box = boxOf(points_, pieces[0].corners);
    cut(t, pieces);
    const std::size_t all = pieces.size(), folds = folds_.size();
    std::erase_if(pieces, [&](const TrianglePiece& piece) { return !isExposed(t, piece); });
    hidden_ += pieces.size() < all ? 1U : 0U;
    folded_ += folds_.size() > folds ? 1U : 0U;
    triangles_.insert(triangles_.end(), pieces.size(), static_cast<int>(t));
    std::move(pieces.begin(), pieces.end(), std::back_inserter(exposed_));
  }
}

Vector3d ExposedPieces::position(int point) const {
  const auto k = static_cast<std::size_t>(point);
  return k < grid_.size() ? mesh_.mesh.vertices[vertexOf_[k]] : meetings_[k - grid_.size()];
}

/// The position of a point where three planes meet, if it is new.
void ExposedPieces::addPosition(int point, const CutPlane& a, const CutPlane& b, const CutPlane& c) {
  constexpr double kFarthest = 20;  // from the rounded point [units of the grid]
  if (static_cast<std::size_t>(point) < grid_.size() + meetings_.size()) return;
  const Vector3d rounded = origin_ + unit_ * points_.rounded(point);
  // About the rounded point, so that large coordinates lose nothing.
  const double det = a.n.dot(b.n.cross(c.n));
  const Vector3d offset = (a.d - a.n.dot(rounded)) * b.n.cross(c.n) +
                          (b.d - b.n.dot(rounded)) * c.n.cross(a.n) +
                          (c.d - c.n.dot(rounded)) * a.n.cross(b.n);
  const bool isNear = offset.norm() <= kFarthest * unit_ * std::abs(det);
  meetings_.push_back(isNear && det != 0 ? Vector3d(rounded + offset / det) : rounded);
}

/// Fills grid_, vertexOf_ and corners_; returns the triangles in units of the grid.
std::vector<TriangleCorners> ExposedPieces::roundToGrid() {
  std::vector<int> pointOf;
  for (std::size_t v = 0; v < mesh_.mesh.vertices.size(); ++v) {
    const Vector3d p = (mesh_.mesh.vertices[v] - origin_) / unit_;
    const GridPoint rounded = p.array().round().cast<std::int64_t>();
    pointOf.push_back(points_.indexOf(exactPoint(rounded)));
    if (pointOf.back() < static_cast<int>(grid_.size())) continue;
    grid_.push_back(rounded);
    vertexOf_.push_back(v);
  }
  std::vector<TriangleCorners> triangles(mesh_.mesh.triangles.size());
  corners_.resize(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      corners_[t][k] = pointOf[static_cast<std::size_t>(mesh_.mesh.triangles[t][k])];
      triangles[t][k] = points_.rounded(corners_[t][k]);
    }
  return triangles;
}

/// A plane along side k of triangle t, parallel to `axis`; what lies inside the triangle lies below it.
GridPlane ExposedPieces::sideAlong(int axis, std::size_t t, std::size_t k) const {
  return planeAlong(axis, faces_[t].exact.n[axis] > 0, at(corners_[t][k]), at(corners_[t][(k + 1) % 3]));
}
CutPlane ExposedPieces::sideOfTriangle(std::size_t t, std::size_t k) const {
  const int axis = steepestAxis(faces_[t].exact);
  const Vector3d p = vertex(t, k), n = (vertex(t, (k + 1) % 3) - p).cross(Vector3d::Unit(axis));
  return {sideAlong(axis, t, k), n, n.dot(p)};
}

/// Bounds of the part of triangle u in the plane of triangle t; empty if that is a point at most.
Eigen::AlignedBox3d ExposedPieces::partInPlane(std::size_t t, std::size_t u) const {
  std::array<int, 3> side{};
  for (std::size_t k = 0; k < 3; ++k) side[k] = points_.side(faces_[t].exact, corners_[u][k]);
  Eigen::AlignedBox3d box;
  int found = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const int next = side[(k + 1) % 3];
    if (side[k] != 0 && side[k] * next >= 0) continue;
    ++found;
    box.extend(side[k] == 0 ? points_.rounded(corners_[u][k])
                            : roundedPoint(meetingPoint(faces_[t].exact, faces_[u].exact,
                                                        sideOfTriangle(u, k).exact)));
  }
  if (found < 2) return {};
  box.min().array() -= kPointRounding;
  box.max().array() += kPointRounding;
  return box;
}

bool ExposedPieces::areCoplanar(std::size_t t, std::size_t u) const {
  return std::all_of(corners_[u].begin(), corners_[u].end(),
                     [&](int c) { return points_.side(faces_[t].exact, c) == 0; });
}

/// True if all that triangles t and u have in common is a whole side.
bool ExposedPieces::meetsAlongSide(std::size_t t, std::size_t u) const {
  const auto& own = corners_[t];
  const auto isOwn = [&](int c) { return std::find(own.begin(), own.end(), c) != own.end(); };
  if (std::count_if(corners_[u].begin(), corners_[u].end(), isOwn) != 2) return false;
  const int apex = *std::find_if_not(corners_[u].begin(), corners_[u].end(), isOwn);
  if (points_.side(faces_[t].exact, apex) != 0) return true;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& other = corners_[u];
    const auto isOther = [&](int c) { return std::find(other.begin(), other.end(), c) != other.end(); };
    if (isOther(own[k]) && isOther(own[(k + 1) % 3]))
      return points_.side(sideOfTriangle(t, k).exact, apex) > 0;
  }
  return false;
}

/// True if a → b, on the line where `plane` meets that of triangle t, lies inside triangle u or on its border
/// over more than a point. The line lies in the plane of u.
bool ExposedPieces::runsThrough(ExactPoint a, ExactPoint b, std::size_t t, const GridPlane& plane,
                                std::size_t u) const {
  for (std::size_t k = 0; k < 3; ++k) {
    const GridPlane side = sideOfTriangle(u, k).exact;
    const int ofA = sideOf(side, a), ofB = sideOf(side, b);
    if (ofA == 0 && ofB == 0) continue;
    if (ofA >= 0 && ofB >= 0) return false;
    if (ofA > 0) a = meetingPoint(faces_[t].exact, plane, side);
    if (ofB > 0) b = meetingPoint(faces_[t].exact, plane, side);
  }
  return true;
}

/// Divides the pieces of triangle t that `plane` crosses inside triangle u, of which the part `near` may.
void ExposedPieces::divide(std::size_t t, const CutPlane& plane, std::size_t u,
                           const Eigen::AlignedBox3d& near, std::vector<TrianglePiece>& pieces) {
  std::vector<int> sides, crossing;
  std::vector<ExactPoint> meeting, chord;
  for (std::size_t n = 0, count = pieces.size(); n < count; ++n) {
    const std::vector<int>& corners = pieces[n].corners;
    ++work_;
    if (!pieces[n].box.intersects(near)) continue;
    work_ += kComparison;
    areTooMany_ = areTooMany_ || work_ > kMaxPieceWork;
    if (areTooMany_) return;
    sides.clear();
    for (const int c : corners) sides.push_back(points_.side(plane.exact, c));
    if (std::find(sides.begin(), sides.end(), 1) == sides.end() ||
        std::find(sides.begin(), sides.end(), -1) == sides.end())
      continue;
    meeting.assign(corners.size(), {});
    chord.clear();
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (sides[k] == 0) chord.push_back(points_[corners[k]]);
      if (sides[k] * sides[(k + 1) % corners.size()] >= 0) continue;
      meeting[k] = meetingPoint(faces_[t].exact, pieces[n].sides[k].exact, plane.exact);
      chord.push_back(meeting[k]);
    }
    if (!runsThrough(chord[0], chord[1], t, plane.exact, u)) continue;
    crossing.assign(corners.size(), -1);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (sides[k] * sides[(k + 1) % corners.size()] >= 0) continue;
      crossing[k] = points_.indexOf(meeting[k]);
      addPosition(crossing[k], faces_[t], pieces[n].sides[k], plane);
    }
    TrianglePiece above = partOf(pieces[n], plane, sides, 1, crossing);
    pieces[n] = partOf(pieces[n], plane, sides, -1, crossing);
    above.box = boxOf(points_, above.corners);
    pieces[n].box = boxOf(points_, pieces[n].corners);
    pieces.push_back(std::move(above));
  }
}

void ExposedPieces::cut(std::size_t t, std::vector<TrianglePiece>& pieces) {
  const TriangleCorners& own = tree_.triangle(static_cast<int>(t));
  const Eigen::AlignedBox3d box = Eigen::AlignedBox3d(own[0]).extend(own[1]).extend(own[2]);
  tree_.visitOverlapping(box, [&](int other) {
    const auto u = static_cast<std::size_t>(other);
    if (u == t || faces_[u].exact.isZero() || areTooMany_) return;
    if (meetsAlongSide(t, u)) return;
    const Eigen::AlignedBox3d near = partInPlane(t, u);
    if (near.isEmpty()) return;
    if (!areCoplanar(t, u)) {
      divide(t, faces_[u], u, near, pieces);
      return;
    }
    for (std::size_t k = 0; k < 3; ++k)
      divide(t, sideOfTriangle(u, k), u, boxOf(points_, {corners_[u][k], corners_[u][(k + 1) % 3]}), pieces);
  });
}

/// At a point inside a piece of triangle t, by a ray along `axis`; empty if it meets the side of a triangle.
std::optional<ExposedPieces::Windings> ExposedPieces::windingsAt(std::size_t t, const InnerPoint& p,
                                                                 int axis) {
  int ahead = 0, here = 0;
  Windings found;
  bool meetsSide = false;
  Eigen::AlignedBox3d ray(p.rounded - Vector3d::Ones(), p.rounded + Vector3d::Ones());
  ray.max()[axis] = 2 * kMaxGridCoordinate;
  tree_.visitOverlapping(ray, [&](int other) {
    work_ += kRayTriangle;
    const auto u = static_cast<std::size_t>(other);
    const std::int64_t steepness = faces_[u].exact.n[axis];
    if (steepness == 0) return;
    bool isOnSide = false;
    for (std::size_t k = 0; k < 3 && u != t; ++k) {
      const int side = sideOf(sideAlong(axis, u, k), p);
      if (side > 0) return;
      isOnSide = isOnSide || side == 0;
    }
    meetsSide = meetsSide || isOnSide;
    const int way = steepness > 0 ? 1 : -1, height = u == t ? 0 : sideOf(faces_[u].exact, p);
    if (height == 0) {
      here += way;
      if (u < t && (way > 0) == (faces_[t].exact.n[axis] > 0)) found.isFirst = false;
    } else if (height != way) {
      ahead += way;
    }
  });
  if (meetsSide) return std::nullopt;
  const bool isUp = faces_[t].exact.n[axis] > 0;
  found.above = isUp ? ahead : ahead + here;
  found.below = isUp ? ahead + here : ahead;
  return found;
}

bool ExposedPieces::isExposed(std::size_t t, const TrianglePiece& piece) {
  static constexpr std::array<std::array<int, 3>, 8> kWeights{
      {{1, 1, 1}, {1, 2, 3}, {3, 1, 2}, {2, 3, 1}, {5, 3, 7}, {7, 4, 2}, {11, 17, 13}, {19, 5, 8}}};
  const std::size_t n = piece.corners.size();
  const std::array<int, 3> corners{piece.corners[0], piece.corners[n / 3], piece.corners[2 * n / 3]};
  for (int turn = 0; turn < 3; ++turn) {
    const int axis = (steepestAxis(faces_[t].exact) + turn) % 3;
    for (const auto& weights : kWeights) {
      if (faces_[t].exact.n[axis] == 0) break;
      const auto found = windingsAt(t, innerPoint(points_, corners, weights), axis);
      if (!found) continue;
      areTooMany_ = areTooMany_ || work_ > kMaxPieceWork;
      if (std::min(found->above, found->below) < 0) folds_.push_back(piece);
      return found->above <= 0 && found->below > 0 && found->isFirst;
    }
  }
  isDecided_ = false;
  return false;
}

}  // namespace tenon::content
