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
/// A direction this near to one of the normals of an arc, which are at most 5° apart, lies within the arc
/// [-].
const double kWithinArc = std::cos(2.6 * std::numbers::pi / 180);
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
        search.matings.push_back(matingOf(withoutShoulders(walls, out), out));
        if (isBetter(search.matings.back(), search.matings.front(), up))
          std::swap(search.matings.back(), search.matings.front());
      }
    if (isConfined)
      search.reason = NoMating::locked;
    else if (!lines.empty())
      search.reason = NoMating::unguided;
    else
      search.reason = areOnBothSides() ? NoMating::parallel : NoMating::flat;
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

  bool areOnBothSides() const {
    const Vector3d& first = pairs_.front().normals.front();
    return std::any_of(pairs_.begin(), pairs_.end(),
                       [&](const ConformingFaces& pair) { return pair.normals.front().dot(first) < 0; });
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

  bool isAbout(const ConformingFaces& wall, const Vector3d& p, const Vector3d& out) const {
    const physics::Surface& surface = faceOfA(wall).surface;
    return surface.kind == SurfaceKind::cylinder && out.cross(surface.X_BS.p - p).norm() < kSameLength;
  }

  /// The cylinders about one axis, if they confine and all other walls are planes that face one side, on
  /// which the cylinders face as well; else all walls.
  Walls withoutShoulders(const Walls& walls, const Vector3d& out) const {
    const auto first = std::find_if(walls.begin(), walls.end(), [&](const ConformingFaces* wall) {
      return faceOfA(*wall).surface.kind == SurfaceKind::cylinder;
    });
    if (first == walls.end()) return walls;
    Walls round, others;
    for (const ConformingFaces* wall : walls)
      (isAbout(*wall, faceOfA(**first).surface.X_BS.p, out) ? round : others).push_back(wall);
    if (others.empty() || !confine(round, out)) return walls;
    const Vector3d& n = others.front()->normals.front();
    const bool areShoulders = std::all_of(others.begin(), others.end(), [&](const ConformingFaces* wall) {
      return faceOfA(*wall).surface.kind == SurfaceKind::plane &&
             (wall->normals.front() - n).norm() < kSameLine;
    });
    const bool areCovered = std::any_of(round.begin(), round.end(), [&](const ConformingFaces* wall) {
      return std::any_of(wall->normals.begin(), wall->normals.end(),
                         [&](const Vector3d& m) { return m.dot(n) > kWithinArc; });
    });
    return areShoulders && areCovered ? round : walls;
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
    const Vector3d& axis = faceOfA(*walls.front()).surface.X_BS.p;
    for (const ConformingFaces* wall : walls) {
      mating.leastGap = std::min(mating.leastGap, wall->gap);
      mating.widestGap = std::max(mating.widestGap, wall->gap);
      mating.depth = std::max(mating.depth, overlapAlong(*wall, out));
      mating.isRound = mating.isRound && isAbout(*wall, axis, out);
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
