// Cuts each triangle by the planes of those that cross it, and keeps the pieces that have material on one
// side only.
#include "content/mesh/unite_touching.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "content/mesh/self_intersections.h"
#include "content/mesh/triangle_bvh.h"
#include "content/mesh/vertex_grid.h"

namespace tenon::content {
namespace {

/// Faces within this share of the weld distance lie in one plane: small, so that pieces next to a crossing at
/// a small angle are distinguished [-].
constexpr double kNear = 0.05;
/// Rounding of a height above a plane, in units of the weld distance [-].
constexpr double kSnap = 1e-3;

/// Pieces that may be compared with a plane, some 100 ns each.
constexpr std::size_t kMaxWork = 50'000'000;

/// A convex piece of a triangle, in its plane [m].
using Piece = std::vector<Vector3d>;

/// n · p = offset, n of unit length [m].
struct Plane {
  Vector3d n = Vector3d::Zero();
  double offset = 0;

  double height(const Vector3d& p) const { return n.dot(p) - offset; }
};

/// Zero where the triangle has no area.
Plane planeOf(const TriangleCorners& t) {
  const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  return {n, n.dot(t[0])};
}

/// The plane through side k of `t`, along its normal `n`; it faces outwards.
Plane sidePlane(const TriangleCorners& t, const Vector3d& n, std::size_t k) {
  const Vector3d out = (t[(k + 1) % 3] - t[k]).cross(n).normalized();
  return {out, out.dot(t[k])};
}

Vector3d middleOf(const Piece& piece) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& p : piece) sum += p;
  return sum / static_cast<double>(piece.size());
}

class Union {
 public:
  explicit Union(const RepairedMesh& mesh)
      : mesh_(mesh),
        all_(trianglesOf(mesh.mesh)),
        tree_(all_),
        near_(kNear * mesh.weldDistance),
        snap_(kSnap * mesh.weldDistance) {
    planes_.reserve(all_.size());
    for (const TriangleCorners& t : all_) planes_.push_back(planeOf(t));
  }

  /// The exposed pieces and the triangle of each; false if all triangles are exposed as they are.
  bool cut(std::vector<Piece>& exposed, std::vector<int>& triangles) {
    std::vector<Piece> pieces;
    for (std::size_t t = 0; t < all_.size() && !isTooMany_; ++t) {
      pieces.assign(1, Piece(all_[t].begin(), all_[t].end()));
      findPartners(t);
      cutPieces(t, pieces);
      const std::size_t all = pieces.size();
      if (!planes_[t].n.isZero())
        std::erase_if(pieces, [&](const Piece& piece) { return !isExposed(t, piece); });
      hidden_ += pieces.size() < all ? 1U : 0U;
      triangles.insert(triangles.end(), pieces.size(), static_cast<int>(t));
      std::move(pieces.begin(), pieces.end(), std::back_inserter(exposed));
    }
    return hidden_ > 0;
  }

  /// Triangles of which a part or all is hidden.
  std::size_t hidden() const { return hidden_; }
  /// True if a part of the surface is inside out: what it encloses has no meaning.
  bool isInsideOut() const { return isInsideOut_; }
  bool isTooMany() const { return isTooMany_; }

 private:
  static bool sharesSide(const std::array<int, 3>& a, const std::array<int, 3>& b) {
    int common = 0;
    for (const int v : a) common += static_cast<int>(std::count(b.begin(), b.end(), v));
    return common >= 2;
  }

  /// Lists those that cross triangle t or lie in its plane, over more than a point.
  void findPartners(std::size_t t) {
    partners_.clear();
    Eigen::AlignedBox3d box = Eigen::AlignedBox3d(all_[t][0]).extend(all_[t][1]).extend(all_[t][2]);
    box.min().array() -= near_;
    box.max().array() += near_;
    const Piece own(all_[t].begin(), all_[t].end());
    tree_.visitOverlapping(box, [&](int u) {
      const auto other = static_cast<std::size_t>(u);
      if (other == t || planes_[other].n.isZero() || planes_[t].n.isZero() ||
          sharesSide(mesh_.mesh.triangles[t], mesh_.mesh.triangles[other]))
        return;
      if (areCoplanar(t, other) ? overlaps(own, other) : crosses(own, planes_[other], other))
        partners_.push_back(other);
    });
  }

  /// True if the corners of either lie in the plane of the other.
  bool areCoplanar(std::size_t t, std::size_t u) const {
    const auto liesIn = [&](std::size_t a, std::size_t b) {
      return std::all_of(all_[a].begin(), all_[a].end(),
                         [&](const Vector3d& p) { return std::abs(planes_[b].height(p)) <= near_; });
    };
    return liesIn(t, u) || liesIn(u, t);
  }

  /// The part of a → b inside triangle u, of whose plane it is part, as fractions; its length is above near_.
  bool runsThrough(const Vector3d& a, const Vector3d& b, std::size_t u) const {
    double begin = 0, end = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      const Plane side = sidePlane(all_[u], planes_[u].n, k);
      const double ha = side.height(a), hb = side.height(b);
      if (ha > 0 && hb > 0) return false;
      if (ha > 0) begin = std::max(begin, ha / (ha - hb));
      if (hb > 0) end = std::min(end, ha / (ha - hb));
    }
    return (end - begin) * (b - a).norm() > near_;
  }

  /// The chord in which a plane divides a piece; false if the piece lies on one side.
  bool chordOf(const Piece& piece, const Plane& plane, std::array<Vector3d, 2>& chord) const {
    bool isAbove = false, isBelow = false;
    int found = 0;
    for (std::size_t k = 0; k < piece.size(); ++k) {
      const Vector3d &p = piece[k], &q = piece[(k + 1) % piece.size()];
      const double hp = plane.height(p), hq = plane.height(q);
      isAbove = isAbove || hp > snap_;
      isBelow = isBelow || hp < -snap_;
      if (std::abs(hp) <= snap_) {
        if (found < 2) chord[static_cast<std::size_t>(found++)] = p;
      } else if (std::abs(hq) > snap_ && (hp > 0) != (hq > 0)) {
        if (found < 2) chord[static_cast<std::size_t>(found++)] = p + hp / (hp - hq) * (q - p);
      }
    }
    return isAbove && isBelow && found == 2;
  }

  bool crosses(const Piece& piece, const Plane& plane, std::size_t u) const {
    std::array<Vector3d, 2> chord;
    return chordOf(piece, plane, chord) && runsThrough(chord[0], chord[1], u);
  }

  /// Of triangles in one plane: whether their areas overlap.
  bool overlaps(const Piece& piece, std::size_t u) const {
    const auto liesOutside = [&](const Plane& side, const auto& points) {
      return std::all_of(points.begin(), points.end(),
                         [&](const Vector3d& p) { return side.height(p) >= -near_; });
    };
    for (std::size_t k = 0; k < 3; ++k)
      if (liesOutside(sidePlane(all_[u], planes_[u].n, k), piece)) return false;
    for (std::size_t k = 0; k < piece.size(); ++k) {
      const Vector3d out = (piece[(k + 1) % piece.size()] - piece[k]).cross(planes_[u].n);
      // Either orientation: the middle of the piece lies inside.
      Plane side{out.normalized(), 0};
      side.offset = side.n.dot(piece[k]);
      if (side.height(middleOf(piece)) > 0) side = {-side.n, -side.offset};
      if (liesOutside(side, all_[u])) return false;
    }
    return true;
  }

  /// Divides the pieces that `plane` crosses along the side `from` → `to`, or inside triangle `through`.
  void divide(const Plane& plane, std::vector<Piece>& pieces, std::size_t through, const Vector3d* from,
              const Vector3d* to) const {
    for (std::size_t n = 0, count = pieces.size(); n < count; ++n) {
      std::array<Vector3d, 2> chord;
      if (!chordOf(pieces[n], plane, chord)) continue;
      if (from == nullptr ? !runsThrough(chord[0], chord[1], through)
                          : !runsAlong(chord[0], chord[1], *from, *to))
        continue;
      Piece below, above;
      for (std::size_t k = 0; k < pieces[n].size(); ++k) {
        const Vector3d &p = pieces[n][k], &q = pieces[n][(k + 1) % pieces[n].size()];
        const double hp = plane.height(p), hq = plane.height(q);
        if (hp <= snap_) below.push_back(p);
        if (hp >= -snap_) above.push_back(p);
        if (std::abs(hp) <= snap_ || std::abs(hq) <= snap_ || (hp > 0) == (hq > 0)) continue;
        const Vector3d cut = p + hp / (hp - hq) * (q - p);
        below.push_back(cut);
        above.push_back(cut);
      }
      pieces[n] = std::move(below);
      pieces.push_back(std::move(above));
    }
  }

  /// True if two segments of one line overlap by more than near_.
  bool runsAlong(const Vector3d& a, const Vector3d& b, const Vector3d& from, const Vector3d& to) const {
    const Vector3d along = (to - from).normalized();
    const double x = along.dot(a - from), y = along.dot(b - from);
    return std::min(std::max(x, y), (to - from).norm()) - std::max(std::min(x, y), 0.0) > near_;
  }

  void cutPieces(std::size_t t, std::vector<Piece>& pieces) {
    for (const std::size_t u : partners_) {
      work_ += pieces.size();
      if (work_ > kMaxWork) isTooMany_ = true;
      if (isTooMany_) return;
      if (!areCoplanar(t, u)) {
        divide(planes_[u], pieces, u, nullptr, nullptr);
        continue;
      }
      for (std::size_t k = 0; k < 3; ++k)
        divide(sidePlane(all_[u], planes_[u].n, k), pieces, u, &all_[u][k], &all_[u][(k + 1) % 3]);
    }
  }

  /// True if there is material below a piece of triangle t and none above; of several such pieces in one
  /// place, only that of the first triangle.
  bool isExposed(std::size_t t, const Piece& piece) {
    const Vector3d c = middleOf(piece);
    for (const std::size_t u : partners_)
      if (u < t && planes_[u].n.dot(planes_[t].n) > 0 && std::abs(planes_[u].height(c)) <= near_ &&
          isAt(u, c))
        return false;
    return isExposed(c, planes_[t].n);
  }
  bool isAt(std::size_t u, const Vector3d& p) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (sidePlane(all_[u], planes_[u].n, k).height(p) > 0) return false;
    return true;
  }
  bool isExposed(const Vector3d& p, const Vector3d& n) {
    constexpr double kAside = 1.5;  // of the distance within which faces lie in one plane [-]
    const Vector3d aside = kAside * near_ * n;
    const int above = tree_.windingNumber(p + aside), below = tree_.windingNumber(p - aside);
    if (std::min(above, below) < 0) isInsideOut_ = true;
    return above <= 0 && below > 0;
  }

  const RepairedMesh& mesh_;
  std::vector<TriangleCorners> all_;
  TriangleBvh tree_;
  std::vector<Plane> planes_;
  double near_;  ///< distance within which faces lie in one plane [m]
  double snap_;  ///< distance from a cutting plane that counts as on it [m]
  std::vector<std::size_t> partners_;
  std::size_t hidden_ = 0;
  bool isInsideOut_ = false;
  std::size_t work_ = 0;  ///< pieces that were compared with a plane
  bool isTooMany_ = false;
};

/// Corners of all pieces, those within `distance` merged, and the pieces as indices of them.
struct MergedPieces {
  std::vector<Vector3d> corners;
  std::vector<std::vector<int>> pieces;
};

MergedPieces mergeCorners(const std::vector<Piece>& pieces, double distance) {
  std::vector<Vector3d> points;
  double farthest = 0;
  for (const Piece& piece : pieces)
    for (const Vector3d& p : piece) {
      points.push_back(p);
      farthest = std::max(farthest, p.cwiseAbs().maxCoeff());
    }
  VertexGrid grid(points, std::max({20 * distance, 1e-15 * farthest, 1e-300}));
  std::vector<int> indexOf(points.size(), 0);
  MergedPieces merged;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const int same = grid.findWithin(static_cast<int>(k), distance);
    if (same < 0) {
      grid.insert(static_cast<int>(k));
      indexOf[k] = static_cast<int>(merged.corners.size());
      merged.corners.push_back(points[k]);
    } else {
      indexOf[k] = indexOf[static_cast<std::size_t>(same)];
    }
  }
  std::size_t at = 0;
  for (const Piece& piece : pieces) {
    std::vector<int>& indices = merged.pieces.emplace_back();
    for (std::size_t k = 0; k < piece.size(); ++k) {
      const int index = indexOf[at++];
      if (indices.empty() || indices.back() != index) indices.push_back(index);
    }
    while (indices.size() > 1 && indices.front() == indices.back()) indices.pop_back();
  }
  return merged;
}

/// Triangles of pieces whose borders go through all corners that lie on them: neighbors then share whole
/// edges.
class Triangulation {
 public:
  Triangulation(MergedPieces merged, double distance)
      : merged_(std::move(merged)), tree_(pointsOf(merged_.corners)), distance_(distance) {}

  void add(std::size_t piece, int source, TriangleMesh& mesh, std::vector<int>& sources) const {
    const std::vector<int>& corners = merged_.pieces[piece];
    if (corners.size() < 3) return;
    std::vector<int> border;
    for (std::size_t k = 0; k < corners.size(); ++k)
      addSide(corners[k], corners[(k + 1) % corners.size()], border);
    if (border.size() == 3) {
      mesh.triangles.push_back({border[0], border[1], border[2]});
      sources.push_back(source);
      return;
    }
    // About the middle, so that no triangle lies along the border.
    Vector3d sum = Vector3d::Zero();
    for (const int c : corners) sum += at(c);
    const auto middle = static_cast<int>(mesh.vertices.size());
    mesh.vertices.emplace_back(sum / static_cast<double>(corners.size()));
    for (std::size_t k = 0; k < border.size(); ++k) {
      mesh.triangles.push_back({border[k], border[(k + 1) % border.size()], middle});
      sources.push_back(source);
    }
  }

 private:
  static std::vector<TriangleCorners> pointsOf(const std::vector<Vector3d>& corners) {
    std::vector<TriangleCorners> points;
    for (const Vector3d& p : corners) points.push_back({p, p, p});
    return points;
  }
  const Vector3d& at(int c) const { return merged_.corners[static_cast<std::size_t>(c)]; }

  /// Appends `from` and the corners on the way to `to`.
  void addSide(int from, int to, std::vector<int>& border) const {
    border.push_back(from);
    const Vector3d &a = at(from), &b = at(to);
    const double length = (b - a).norm();
    const Vector3d along = (b - a) / length;
    Eigen::AlignedBox3d box = Eigen::AlignedBox3d(a).extend(b);
    box.min().array() -= distance_;
    box.max().array() += distance_;
    std::vector<std::pair<double, int>> found;
    tree_.visitOverlapping(box, [&](int c) {
      if (c == from || c == to) return;
      const double x = along.dot(at(c) - a);
      if (x > 0 && x < length && (at(c) - a - x * along).norm() <= distance_) found.emplace_back(x, c);
    });
    std::sort(found.begin(), found.end());
    for (const auto& [x, c] : found) border.push_back(c);
  }

  MergedPieces merged_;
  TriangleBvh tree_;
  double distance_;
};

}  // namespace

TouchingUnion uniteTouching(const RepairedMesh& mesh) {
  TouchingUnion result;
  Union bodies(mesh);
  std::vector<Piece> exposed;
  std::vector<int> triangles;
  const bool isHidden = bodies.cut(exposed, triangles);
  if (bodies.isInsideOut() || bodies.isTooMany()) return result;
  result.isNothingHidden = !isHidden;
  if (!isHidden || exposed.empty()) return result;
  MergedPieces merged = mergeCorners(exposed, mesh.weldDistance);
  TriangleMesh pieces{merged.corners, {}};
  std::vector<int> sources;
  const Triangulation triangulation(std::move(merged), mesh.weldDistance);
  for (std::size_t k = 0; k < exposed.size(); ++k)
    triangulation.add(k, mesh.sources[static_cast<std::size_t>(triangles[k])], pieces, sources);
  if (pieces.triangles.empty()) return result;
  RepairedMesh united = repairMesh(pieces);
  // A hole that the repair has filled was a piece lost.
  if (!united.report.isClosed() || united.report.filledTriangles > 0) return result;
  if (findSelfIntersections(united, mesh.weldDistance).pairs > 0) return result;
  for (int& source : united.sources) source = sources[static_cast<std::size_t>(source)];
  united.report.hiddenTriangles = bodies.hidden();
  result.mesh = std::move(united);
  return result;
}

}  // namespace tenon::content
