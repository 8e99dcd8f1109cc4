// Validation of solids of revolution and of blocks with cavities.
#include "physics/collision/geometry/revolved_shapes.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "physics/collision/geometry/cavity_separation.h"
#include "physics/math/planar.h"

namespace tenon::physics {
namespace {

using Eigen::Vector2d;
using Problem = std::optional<std::string>;
using Profile = std::vector<Vector2d>;

std::string point(std::size_t i) {
  return "point " + std::to_string(i);
}

double distanceToSegment(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  const Vector2d d = b - a;
  const double t = std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0);
  return (p - a - t * d).norm();
}

bool properlyCross(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& d) {
  return (cross(b - a, c - a) > 0) != (cross(b - a, d - a) > 0) &&
         (cross(d - c, a - c) > 0) != (cross(d - c, b - c) > 0);
}

bool meet(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& d) {
  return properlyCross(a, b, c, d) ||
         std::min({distanceToSegment(a, c, d), distanceToSegment(b, c, d), distanceToSegment(c, a, b),
                   distanceToSegment(d, a, b)}) < kProfileTolerance;
}

Problem problemWithCrossings(const Profile& profile, bool closed) {
  const std::size_t segments = profile.size() - 1;
  for (std::size_t i = closed ? 0 : 1; i < segments; ++i) {
    const std::size_t previous = i > 0 ? i - 1 : segments - 1;
    const Vector2d in = (profile[previous + 1] - profile[previous]).normalized(),
                   out = (profile[i + 1] - profile[i]).normalized();
    if (std::abs(cross(in, out)) < kProfileTolerance && in.dot(out) < 0)
      return "the profile folds back onto itself at " + point(i);
  }
  for (std::size_t i = 0; i < segments; ++i)
    for (std::size_t j = i + 2; j < segments - (closed && i == 0 ? 1 : 0); ++j)
      if (meet(profile[i], profile[i + 1], profile[j], profile[j + 1]))
        return "the profile crosses or touches itself: the segments from " + point(i) + " and from " +
               point(j);
  return {};
}

// Checks common to outer profiles and cavities.
Problem problemWithProfile(const Profile& profile, std::size_t minPoints, bool closed = false) {
  if (profile.size() < minPoints)
    return "the profile needs at least " + std::to_string(minPoints) + " points";
  for (std::size_t i = 0; i < profile.size(); ++i) {
    if (!profile[i].allFinite()) return point(i) + " of the profile is not a finite number";
    if (profile[i].y() < 0) return "the profile crosses the axis at " + point(i) + " (r < 0)";
    if (i > 0 && (profile[i] - profile[i - 1]).norm() < kProfileTolerance)
      return "the segment of the profile from " + point(i - 1) + " to " + point(i) + " has no length";
  }
  for (std::size_t i = 1; i + 1 < profile.size(); ++i)
    if (profile[i].y() < kProfileTolerance)
      return "the profile touches the axis at " + point(i) + "; only its ends may (r > 0 between)";
  return problemWithCrossings(profile, closed);
}

// Twice the area between the axis and the profile: positive if the profile runs from the bottom up.
double doubleArea(const Profile& profile) {
  double sum = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const Vector2d &p = profile[i], &q = profile[(i + 1) % profile.size()];
    sum += p.y() * q.x() - q.y() * p.x();
  }
  return sum;
}

// --- cavities ------------------------------------------------------------------------------------------

struct Mouth {
  int axis = 0;
  double side = 1;
};

Problem problemWithFrame(const Cavity& cavity, const Vector3d& h, Mouth& mouth) {
  const Pose& X = cavity.X_BH;
  if (!X.p.allFinite() || !X.q.coeffs().allFinite()) return "its pose is not finite";
  if (std::abs(X.q.norm() - 1) > kProfileTolerance) return "its quaternion is not of length 1";
  const Vector3d z = X.q * Vector3d::UnitZ();
  z.cwiseAbs().maxCoeff(&mouth.axis);
  mouth.side = z[mouth.axis] > 0 ? 1 : -1;
  if ((z - mouth.side * Vector3d::Unit(mouth.axis)).norm() > kProfileTolerance)
    return "its axis is not along a face's normal";
  if (std::abs(mouth.side * X.p[mouth.axis] - h[mouth.axis]) > kProfileTolerance)
    return "its mouth is not on the face it opens on";
  return {};
}

Problem problemWithDepth(const Cavity& cavity, double height) {
  const Profile& profile = cavity.profile;
  if (std::abs(profile.front().x()) > 0) return "its profile must begin at the mouth (z = 0)";
  if (profile.front().y() < kProfileTolerance) return "its mouth has no radius";
  const bool through = cavity.through;
  if (through && std::abs(profile.back().x() + height) > kProfileTolerance)
    return "a through hole must end on the opposite face (z = " + std::to_string(-height) + " m)";
  if (through && profile.back().y() < kProfileTolerance) return "a through hole must not end on its axis";
  if (!through && profile.back().y() > 0) return "a blind hole must end on its axis (r = 0)";
  const std::size_t inner = profile.size() - (through ? 1 : 0);
  for (std::size_t i = 1; i < inner; ++i) {
    if (profile[i].x() > -kProfileTolerance)
      return point(i) + " of its profile is not below the mouth (z < 0)";
    if (profile[i].x() < -height + kProfileTolerance)
      return point(i) + " of its profile leaves the block below (height " + std::to_string(height) + " m)";
  }
  return {};
}

Problem problemWithSides(const Cavity& cavity, const Vector3d& h, const Mouth& mouth) {
  double radius = 0;
  for (const Vector2d& p : cavity.profile) radius = std::max(radius, p.y());
  for (int k = 0; k < 3; ++k)
    if (k != mouth.axis && std::abs(cavity.X_BH.p[k]) + radius > h[k] - kProfileTolerance)
      return std::string("it leaves the block through a side face (") + "xyz"[k] + ")";
  return {};
}

Problem problemWithCavity(const Cavity& cavity, const Vector3d& h) {
  if (const Problem problem = problemWithProfile(cavity.profile, 2)) return problem;
  Mouth mouth;
  if (const Problem problem = problemWithFrame(cavity, h, mouth)) return problem;
  if (const Problem problem = problemWithDepth(cavity, 2 * h[mouth.axis])) return problem;
  return problemWithSides(cavity, h, mouth);
}

std::string nameOf(const Cavity& cavity) {
  return "cavity \"" + cavity.name + "\"";
}

}  // namespace

bool isRing(const SolidOfRevolution& solid) {
  const Profile& profile = solid.profile;
  return profile.size() > 3 && profile.front() == profile.back() && profile.front().y() > 0;
}

Problem problemWith(const SolidOfRevolution& solid) {
  const Profile& profile = solid.profile;
  const bool ring = isRing(solid);
  if (const Problem problem = problemWithProfile(profile, 3, ring)) return problem;
  if (ring && profile.front().y() < kProfileTolerance)
    return "the ring's profile touches the axis at point 0";
  if (!ring && (profile.front().y() > 0 || profile.back().y() > 0))
    return "the profile must start and end on the axis (r = 0), or for a ring end where it starts";
  if (!(doubleArea(profile) > 0))
    return ring ? "the ring's profile must run up outside and down inside"
                : "the profile must run from the bottom up (z ascending)";
  if (profile.size() > 4000) return "the profile has more than 4000 points";
  if (!solid.thread) return {};
  if (const Problem problem = problemWith(*solid.thread)) return "its thread: " + *problem;
  if (threadedSolid(*solid.thread).profile != profile) return "its profile is not that of its thread's blank";
  return {};
}

Problem problemWith(const BlockWithHoles& block) {
  if (!block.halfExtents.allFinite() || block.halfExtents.minCoeff() <= kProfileTolerance)
    return "the block's sizes must be positive and finite";
  std::size_t points = 0;
  for (const Cavity& cavity : block.cavities) {
    if (const Problem problem = problemWithCavity(cavity, block.halfExtents))
      return nameOf(cavity) + ": " + *problem;
    points += 2 * cavity.profile.size();
  }
  if (points > 8000) return "the cavities' profiles have more than 4000 points together";
  for (std::size_t i = 0; i < block.cavities.size(); ++i)
    for (std::size_t j = i + 1; j < block.cavities.size(); ++j)
      if (!areDisjoint(block.cavities[i], block.cavities[j]))
        return nameOf(block.cavities[i]) + " and " + nameOf(block.cavities[j]) + " meet";
  return {};
}

}  // namespace tenon::physics
