// See tapped_boundary.h.
#include "content/parts/tapped_boundary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace tenon::content {
namespace {

using physics::Pose;
using physics::Surface;
using physics::SurfaceKind;
using physics::Vector3d;

/// Corners of a rim are this close to its height [m]; vertices this close to a cut lie on it [m].
constexpr double kRim = 5e-6, kOnCut = 1e-9;
/// Faces of the wall, whose axes and radii are fitted each on its own: angle [-] and distance [m].
constexpr double kWallDirection = 1e-4, kWallDistance = 5e-6;

class BoundaryTapper {
  using Triangle = std::array<int, 3>;
  using Edge = std::pair<int, int>;
  enum class Part : char { other, thread, pilot };

 public:
  BoundaryTapper(const TappedWall& wall, const Pose& X_BH, physics::BoundarySolid& solid)
      : wall_(wall), X_BH_(X_BH), X_HB_(X_BH.inverse()), s_(solid) {
    // A chamfer that is narrower than the roots is gone: its face becomes part of the wall.
    rimTop_ = isSameLength(wall.newTop, wall.thread.high) ? std::max(wall.newTop, wall.top) : wall.top;
    rimBottom_ = wall.bottom;
    if (!hasPilot() && isSameLength(wall.newBottom, wall.thread.low))
      rimBottom_ = std::min(wall.newBottom, wall.bottom);
    root_ = wall.thread.majorDiameter / 2;
  }

  std::string tap() {
    for (const Vector3d& v : s_.vertices) points_.push_back(X_HB_ * v);
    mark();
    if (hasPilot()) cutAcross();
    if (!hasRims(Part::thread, rimTop_, hasPilot() ? wall_.thread.low : rimBottom_) ||
        (movesPilot() && !hasRims(Part::pilot, wall_.thread.low, rimBottom_)))
      return "another face crosses its wall, or it does not end square to its axis";
    if (hasPilot()) addStep();
    const std::vector<Vector3d> before = s_.vertices;
    move(Part::thread, root_,
         {{rimTop_, wall_.newTop},
          hasPilot() ? std::pair(wall_.thread.low, wall_.thread.low)
                     : std::pair(rimBottom_, wall_.newBottom)});
    if (movesPilot()) move(Part::pilot, wall_.pilotRadius, {{rimBottom_, wall_.pilotBottom}});
    if (isFolded(before)) return "the faces at its ends have edges nearer to it than the thread's roots";
    setSurfaces();
    return "";
  }

 private:
  bool hasPilot() const { return wall_.pilotRadius > 0; }
  bool movesPilot() const { return hasPilot() && !isSameLength(wall_.pilotRadius, wall_.radius); }
  const Vector3d& point(int v) const { return points_[static_cast<std::size_t>(v)]; }

  /// Triangles of the wall, and of chamfers that become part of it.
  void mark() {
    part_.assign(s_.triangles.size(), Part::other);
    for (std::size_t t = 0; t < s_.surfaceOf.size(); ++t) {
      if (s_.surfaceOf[t] < 0) continue;
      const Surface& surface = s_.surfaces[static_cast<std::size_t>(s_.surfaceOf[t])];
      const bool isWall =
          surface.kind == SurfaceKind::cylinder && std::abs(surface.radius - wall_.radius) < kWallDistance;
      if (!isWall && surface.kind != SurfaceKind::cone) continue;
      const Vector3d axis = X_BH_.q * Vector3d::UnitZ();
      if (axis.cross(surface.X_BS.R.col(2)).norm() > kWallDirection ||
          axis.cross(surface.X_BS.p - X_BH_.p).norm() >
              kWallDistance + kWallDirection * (surface.X_BS.p - X_BH_.p).norm())
        continue;
      const Triangle& corners = s_.triangles[t];
      const Vector3d middle = (point(corners[0]) + point(corners[1]) + point(corners[2])) / 3;
      // A cylinder of this radius about this axis, between these heights, is the wall.
      const double z = middle.z();
      const bool isBeside = z > wall_.bottom && z < wall_.top;
      const bool isChamfer = (z > wall_.top && z < rimTop_) || (z < wall_.bottom && z > rimBottom_);
      if ((isWall && isBeside) || (!isWall && isChamfer && middle.head<2>().norm() < root_))
        part_[t] = Part::thread;
    }
  }

  int addVertex(const Vector3d& inHole) {
    s_.vertices.push_back(X_BH_ * inHole);
    points_.push_back(inHole);
    return static_cast<int>(s_.vertices.size()) - 1;
  }
  void addTriangle(const Triangle& t, int surface, Part part) {
    s_.triangles.push_back(t);
    s_.surfaceOf.push_back(surface);
    part_.push_back(part);
  }

  /// Splits the wall where the thread ends; what is below is the pilot.
  void cutAcross() {
    const auto above = [&](int v) {
      const double h = point(v).z() - wall_.thread.low;
      return std::abs(h) < kOnCut ? 0 : h;
    };
    std::map<Edge, int> onEdges;
    std::vector<char> isGone(s_.triangles.size(), 0);
    for (std::size_t t = 0, count = s_.triangles.size(); t < count; ++t) {
      if (part_[t] != Part::thread) continue;
      const Triangle corners = s_.triangles[t];
      const auto [least, most] = std::minmax({above(corners[0]), above(corners[1]), above(corners[2])});
      if (most <= 0) part_[t] = Part::pilot;
      if (most <= 0 || least >= 0) continue;
      std::vector<int> low, high;
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = corners[k], b = corners[(k + 1) % 3];
        const double ha = above(a), hb = above(b);
        if (ha <= 0) low.push_back(a);
        if (ha >= 0) high.push_back(a);
        if (ha * hb >= 0) continue;
        int& middle = onEdges.try_emplace(std::minmax(a, b), -1).first->second;
        if (middle < 0) {
          const auto [from, to] = std::minmax(a, b);
          const double hf = above(from), ht = above(to);
          Vector3d p = point(from) + hf / (hf - ht) * (point(to) - point(from));
          p.z() = wall_.thread.low;
          middle = addVertex(p);
        }
        low.push_back(middle);
        high.push_back(middle);
      }
      for (const auto& [polygon, part] : {std::pair(&low, Part::pilot), std::pair(&high, Part::thread)})
        for (std::size_t k = 1; k + 1 < polygon->size(); ++k)
          addTriangle({(*polygon)[0], (*polygon)[k], (*polygon)[k + 1]}, s_.surfaceOf[t], part);
      isGone.resize(s_.triangles.size(), 0);
      isGone[t] = 1;
    }
    isGone.resize(s_.triangles.size(), 0);
    std::size_t kept = 0;
    for (std::size_t t = 0; t < s_.triangles.size(); ++t) {
      if (isGone[t] != 0) continue;
      s_.triangles[kept] = s_.triangles[t];
      s_.surfaceOf[kept] = s_.surfaceOf[t];
      part_[kept++] = part_[t];
    }
    s_.triangles.resize(kept);
    s_.surfaceOf.resize(kept);
    part_.resize(kept);
  }

  /// Directed edges of triangles of a part whose other side is not of it.
  std::vector<Edge> borderOf(Part part) const {
    std::map<Edge, int> count;
    for (std::size_t t = 0; t < part_.size(); ++t)
      if (part_[t] == part)
        for (std::size_t k = 0; k < 3; ++k) ++count[{s_.triangles[t][k], s_.triangles[t][(k + 1) % 3]}];
    std::vector<Edge> border;
    for (const auto& [edge, n] : count)
      if (count.find({edge.second, edge.first}) == count.end()) border.push_back(edge);
    return border;
  }

  bool isAt(int v, double height) const { return std::abs(point(v).z() - height) < kRim; }

  /// True if the border of a part of the wall is two rims, each once around the axis.
  bool hasRims(Part part, double top, double bottom) const {
    std::array<double, 2> around{};
    for (const auto& [a, b] : borderOf(part)) {
      const bool isTop = isAt(a, top) && isAt(b, top), isBottom = isAt(a, bottom) && isAt(b, bottom);
      if (!isTop && !isBottom) return false;
      const Vector3d &p = point(a), &q = point(b);
      around[isTop ? 0 : 1] += std::atan2(p.x() * q.y() - p.y() * q.x(), p.head<2>().dot(q.head<2>()));
    }
    constexpr double kTurn = 6.283185307179586, kRounding = 1e-6;
    return std::abs(std::abs(around[0]) - kTurn) < kRounding &&
           std::abs(std::abs(around[1]) - kTurn) < kRounding;
  }

  /// The step from the roots to the pilot: the thread's part of the wall gets corners of its own there.
  void addStep() {
    std::map<int, int> copies;
    const auto copyOf = [&](int v) {
      const auto [at, isNew] = copies.try_emplace(v, -1);
      if (isNew)
        at->second = addVertex({root_ / point(v).head<2>().norm() * point(v).x(),
                                root_ / point(v).head<2>().norm() * point(v).y(), wall_.thread.low});
      return at->second;
    };
    Surface plane;
    plane.X_BS.p = X_BH_ * Vector3d(0, 0, wall_.thread.low);
    plane.X_BS.R = X_BH_.q.toRotationMatrix();
    s_.surfaces.push_back(plane);
    const int step = static_cast<int>(s_.surfaces.size()) - 1;
    for (const auto& [a, b] : borderOf(Part::thread)) {
      if (!isAt(a, wall_.thread.low) || !isAt(b, wall_.thread.low)) continue;
      const int c = copyOf(b), d = copyOf(a);
      addTriangle({a, b, c}, step, Part::other);
      addTriangle({a, c, d}, step, Part::other);
    }
    for (std::size_t t = 0; t < part_.size(); ++t)
      if (part_[t] == Part::thread)
        for (int& v : s_.triangles[t])
          if (const auto copy = copies.find(v); copy != copies.end()) v = copy->second;
  }

  /// Moves the vertices of a part of the wall to a radius, and those of its rims to other heights.
  void move(Part part, double radius, std::initializer_list<std::pair<double, double>> heights) {
    std::vector<char> isMoved(s_.vertices.size(), 0);
    for (std::size_t t = 0; t < part_.size(); ++t)
      if (part_[t] == part)
        for (const int v : s_.triangles[t]) isMoved[static_cast<std::size_t>(v)] = 1;
    for (std::size_t v = 0; v < isMoved.size(); ++v) {
      if (isMoved[v] == 0) continue;
      Vector3d p = points_[v];
      p.head<2>() *= radius / p.head<2>().norm();
      for (const auto& [from, to] : heights)
        if (isAt(static_cast<int>(v), from)) p.z() = to;
      points_[v] = p;
      s_.vertices[v] = X_BH_ * p;
    }
  }

  /// The cylinders of the wall with other radii; a chamfer that is gone joins the first of them.
  void setSurfaces() {
    for (const Part part : {Part::thread, Part::pilot}) {
      if (part == Part::pilot && !movesPilot()) continue;
      std::map<int, int> widened;  // by surface
      for (std::size_t t = 0; t < part_.size(); ++t) {
        if (part_[t] != part) continue;
        const Surface given = s_.surfaces[static_cast<std::size_t>(s_.surfaceOf[t])];
        if (given.kind != SurfaceKind::cylinder) continue;
        const auto [at, isNew] = widened.try_emplace(s_.surfaceOf[t], static_cast<int>(s_.surfaces.size()));
        if (isNew) {
          s_.surfaces.push_back(given);
          s_.surfaces.back().radius = part == Part::thread ? root_ : wall_.pilotRadius;
        }
        s_.surfaceOf[t] = at->second;
      }
      for (std::size_t t = 0; t < part_.size(); ++t)
        if (part_[t] == part &&
            s_.surfaces[static_cast<std::size_t>(s_.surfaceOf[t])].kind != SurfaceKind::cylinder)
          s_.surfaceOf[t] = widened.begin()->second;
    }
  }

  /// True if a triangle beside the wall has turned over: a vertex of it was nearer to the wall than the new
  /// rim.
  bool isFolded(const std::vector<Vector3d>& before) const {
    for (std::size_t t = 0; t < part_.size(); ++t) {
      if (part_[t] != Part::other) continue;
      const auto normalOf = [&](const std::vector<Vector3d>& v) {
        const auto at = [&](std::size_t k) { return v[static_cast<std::size_t>(s_.triangles[t][k])]; };
        return Vector3d((at(1) - at(0)).cross(at(2) - at(0)));
      };
      if (normalOf(before).dot(normalOf(s_.vertices)) < 0) return true;
    }
    return false;
  }

  const TappedWall& wall_;
  Pose X_BH_, X_HB_;
  physics::BoundarySolid& s_;
  std::vector<Vector3d> points_;  // vertices in the frame of the mouth
  std::vector<Part> part_;        // of the triangles
  double rimTop_ = 0, rimBottom_ = 0, root_ = 0;
};

}  // namespace

std::string widenBoundary(const TappedWall& wall, const Pose& X_BH, physics::BoundarySolid& solid) {
  return BoundaryTapper(wall, X_BH, solid).tap();
}

}  // namespace tenon::content
