// See mating_direction.h. Two walls that are not parallel leave one direction, a cylinder its axis.
#include "content/recognize/mating_direction.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::content {
namespace {

using physics::SurfaceKind;

/// A face whose normal has at most this component along a direction is parallel to it [-].
constexpr double kParallelComponent = 1e-4;
/// Directions that differ by less are one [-].
constexpr double kSameLine = 1e-6;
/// Normals have to leave less than half a turn by this [rad].
constexpr double kHalfTurnRounding = 1e-3;
/// Depths and distances of axes that differ by less are equal [m].
constexpr double kSameLength = 1e-6;
/// Largest gap of walls that are drawn at the same size [m].
constexpr double kNoGap = 0.5e-6;
/// Normals whose products are tried: those of the largest pairs of faces.
constexpr std::size_t kMaxNormals = 64;

/// Adds a line's direction unless it is known.
void addLine(const Vector3d& d, std::vector<Vector3d>& lines) {
  const bool isKnown = std::any_of(lines.begin(), lines.end(),
                                   [&](const Vector3d& other) { return d.cross(other).norm() < kSameLine; });
  if (!isKnown) lines.push_back(onAxis(d));
}

class MatingFinder {
 public:
  MatingFinder(const std::vector<SolidFace>& a, const std::vector<SolidFace>& b, const physics::Pose& X_AB,
               const std::vector<ConformingFaces>& pairs)
      : a_(a), b_(b), X_AB_(X_AB), pairs_(pairs) {}

  MatingSearch find(const Vector3d& up) const {
    MatingSearch search;
    if (pairs_.empty()) return search;
    bool isConfined = false;
    const std::vector<Vector3d> lines = directions();
    for (const Vector3d& line : lines)
      for (const double sign : {1.0, -1.0}) {
        const Vector3d out = sign * line;
        const auto walls = wallsAlong(out);
        if (!confine(walls, out)) continue;
        isConfined = true;
        if (isBarred(out)) continue;
        const Mating mating = matingOf(walls, out);
        if (!search.mating || isBetter(mating, *search.mating, up)) search.mating = mating;
      }
    search.reason = isConfined ? NoMating::locked : lines.empty() ? NoMating::flat : NoMating::unguided;
    return search;
  }

 private:
  using Walls = std::vector<const ConformingFaces*>;

  const SolidFace& faceOfA(const ConformingFaces& pair) const { return a_[static_cast<std::size_t>(pair.a)]; }
  const SolidFace& faceOfB(const ConformingFaces& pair) const { return b_[static_cast<std::size_t>(pair.b)]; }

  /// Of lines to which two pairs of planes are parallel, or along axes of cylinders.
  std::vector<Vector3d> directions() const {
    std::vector<const ConformingFaces*> bySize;
    for (const ConformingFaces& pair : pairs_) bySize.push_back(&pair);
    std::stable_sort(bySize.begin(), bySize.end(),
                     [](const auto* p, const auto* q) { return p->area > q->area; });
    std::vector<Vector3d> lines, normals;
    for (const ConformingFaces* pair : bySize) {
      const physics::Surface& surface = faceOfA(*pair).surface;
      if (surface.kind == SurfaceKind::cylinder) addLine(surface.X_BS.R.col(2), lines);
      if (surface.kind == SurfaceKind::plane && normals.size() < kMaxNormals)
        addLine(pair->normals.front(), normals);
    }
    for (std::size_t i = 0; i < normals.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (const Vector3d d = normals[i].cross(normals[k]); d.norm() > kParallelComponent)
          addLine(d.normalized(), lines);
    return lines;
  }

  static bool isAlong(const ConformingFaces& pair, const Vector3d& out) {
    return std::all_of(pair.normals.begin(), pair.normals.end(),
                       [&](const Vector3d& n) { return std::abs(n.dot(out)) < kParallelComponent; });
  }

  Walls wallsAlong(const Vector3d& out) const {
    Walls walls;
    for (const ConformingFaces& pair : pairs_)
      if (isAlong(pair, out)) walls.push_back(&pair);
    return walls;
  }

  /// True if no motion across `out` leaves all walls, or slides along them.
  static bool confine(const Walls& walls, const Vector3d& out) {
    return widestGap(walls, out) < std::numbers::pi - kHalfTurnRounding;
  }

  /// True if walls without a gap bar each motion across `out`, but for sliding along them.
  static bool areTight(Walls walls, const Vector3d& out) {
    std::erase_if(walls, [](const ConformingFaces* wall) { return wall->gap > kNoGap; });
    return widestGap(walls, out) < std::numbers::pi + kHalfTurnRounding;
  }

  /// Between the directions of neighboring normals across `out` [rad].
  static double widestGap(const Walls& walls, const Vector3d& out) {
    const Vector3d x = out.unitOrthogonal(), y = out.cross(x);
    std::vector<double> angles;
    for (const ConformingFaces* wall : walls)
      for (const Vector3d& n : wall->normals) angles.push_back(std::atan2(n.dot(y), n.dot(x)));
    if (angles.empty()) return 2 * std::numbers::pi;
    std::sort(angles.begin(), angles.end());
    double widest = angles.front() + 2 * std::numbers::pi - angles.back();
    for (std::size_t k = 1; k < angles.size(); ++k) widest = std::max(widest, angles[k] - angles[k - 1]);
    return widest;
  }

  /// True if a face of B is in the way.
  bool isBarred(const Vector3d& out) const {
    return std::any_of(pairs_.begin(), pairs_.end(), [&](const ConformingFaces& pair) {
      return std::any_of(pair.normals.begin(), pair.normals.end(),
                         [&](const Vector3d& n) { return n.dot(out) > kParallelComponent; });
    });
  }

  Mating matingOf(const Walls& walls, const Vector3d& out) const {
    Mating mating;
    mating.out = out;
    mating.leastGap = mating.widestGap = walls.front()->gap;
    mating.isRound = true;
    mating.isTight = areTight(walls, out);
    const physics::Surface& first = faceOfA(*walls.front()).surface;
    for (const ConformingFaces* wall : walls) {
      mating.leastGap = std::min(mating.leastGap, wall->gap);
      mating.widestGap = std::max(mating.widestGap, wall->gap);
      mating.depth = std::max(mating.depth, overlapAlong(*wall, out));
      const physics::Surface& surface = faceOfA(*wall).surface;
      const Vector3d between = surface.X_BS.p - first.X_BS.p;
      mating.isRound =
          mating.isRound && surface.kind == SurfaceKind::cylinder && out.cross(between).norm() < kSameLength;
    }
    return mating;
  }

  /// Of the two faces of a wall [m].
  double overlapAlong(const ConformingFaces& wall, const Vector3d& out) const {
    double lowOfA = HUGE_VAL, highOfB = -HUGE_VAL;
    for (const FaceTriangle& triangle : faceOfA(wall).cover)
      for (const Vector3d& p : triangle.corners) lowOfA = std::min(lowOfA, out.dot(p));
    for (const FaceTriangle& triangle : faceOfB(wall).cover)
      for (const Vector3d& p : triangle.corners) highOfB = std::max(highOfB, out.dot(X_AB_ * p));
    return highOfB - lowOfA;
  }

  static bool isBetter(const Mating& mating, const Mating& than, const Vector3d& up) {
    if (std::abs(mating.depth - than.depth) > kSameLength) return mating.depth < than.depth;
    return mating.out.dot(up) > than.out.dot(up) + kSameLine;
  }

  const std::vector<SolidFace>&a_, &b_;
  const physics::Pose& X_AB_;
  const std::vector<ConformingFaces>& pairs_;
};

}  // namespace

Vector3d onAxis(const Vector3d& direction) {
  constexpr double kRounding = 1e-9;
  Eigen::Index main = 0;
  direction.cwiseAbs().maxCoeff(&main);
  Vector3d axis = Vector3d::Zero();
  axis[main] = direction[main] > 0 ? 1 : -1;
  return (axis - direction).norm() < kRounding ? axis : direction;
}

MatingSearch findMating(const std::vector<SolidFace>& a, const std::vector<SolidFace>& b,
                        const physics::Pose& X_AB, const std::vector<ConformingFaces>& pairs,
                        const Vector3d& up) {
  return MatingFinder(a, b, X_AB, pairs).find(up);
}

}  // namespace tenon::content
