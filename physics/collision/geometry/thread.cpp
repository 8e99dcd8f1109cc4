// Validity and blanks of threads.
#include "physics/collision/geometry/thread.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/geometry/revolved_shapes.h"

namespace tenon::physics {
namespace {

using ThreadProblem = std::optional<std::string>;

/// Half width of a tooth at radius ρ [m].
double halfWidth(const Thread& t, double rho) {
  const double narrowing = std::tan(t.halfAngle) * (rho - t.pitchDiameter / 2);
  return t.pitch / 4 + (t.isInternal ? narrowing : -narrowing);
}

ThreadProblem problemWithDiameters(const Thread& t) {
  if (!std::isfinite(t.pitch) || t.pitch < 1e-6) return "the pitch must be a positive number";
  if (!(t.halfAngle > 0.01 && t.halfAngle < 1.2))
    return "the half angle of its flanks must be 0.01 to 1.2 rad";
  if (!std::isfinite(t.majorDiameter) || !(t.minorDiameter > kProfileTolerance) ||
      !(t.minorDiameter < t.pitchDiameter - kProfileTolerance) ||
      !(t.pitchDiameter < t.majorDiameter - kProfileTolerance))
    return "its diameters must ascend: 0 < minor < pitch < major diameter";
  const double crest = (t.isInternal ? t.minorDiameter : t.majorDiameter) / 2;
  const double root = (t.isInternal ? t.majorDiameter : t.minorDiameter) / 2;
  if (halfWidth(t, crest) < kProfileTolerance) return "its teeth end below the crests: reduce their height";
  if (halfWidth(t, root) > t.pitch / 2 - kProfileTolerance)
    return "its grooves end above the roots: reduce their depth";
  return {};
}

ThreadProblem problemWithEnds(const Thread& t) {
  if (!std::isfinite(t.low) || !std::isfinite(t.high) || t.high - t.low < t.pitch / 4)
    return "it must be longer than a quarter of its pitch";
  if (t.high - t.low > kMaxTurns * std::abs(t.lead())) return "it has more than 200 turns";
  const double crest = (t.isInternal ? t.minorDiameter : t.majorDiameter) / 2;
  for (const ThreadEnd& end : t.ends) {
    if (!(end.length >= 0 && std::isfinite(end.radius))) return "the cone at its end must have a length ≥ 0";
    if (end.length == 0) continue;
    if (end.length < kProfileTolerance || end.radius < kProfileTolerance ||
        (t.isInternal ? end.radius - crest : crest - end.radius) < kProfileTolerance)
      return t.isInternal ? "a countersink must be wider than its minor diameter"
                          : "a chamfer must end below its major diameter";
  }
  if (t.ends[0].length + t.ends[1].length > t.high - t.low - kProfileTolerance)
    return "the cones at its ends meet";
  return {};
}

// The end of an internal thread's ring at z = end: where the cone leaves its wall, and where it meets the
// crests.
struct RingEnd {
  Eigen::Vector2d outer, inner;  // (z, ρ)
  bool hasFace = false;          // a plane face remains outside the cone
  double face = 0;               // radius of its inner border
};

RingEnd ringEnd(const Thread& t, int which) {
  const ThreadEnd& cone = t.ends[static_cast<std::size_t>(which)];
  const double z = which == 0 ? t.low : t.high, inwards = which == 0 ? 1 : -1;
  const double crest = t.minorDiameter / 2, root = t.majorDiameter / 2;
  if (cone.length == 0) return {{z, root}, {z, crest}, false, 0};
  const Eigen::Vector2d inner(z + inwards * cone.length, crest);
  if (cone.radius < root - kProfileTolerance) return {{z, root}, inner, true, cone.radius};
  const double cut = cone.length * (cone.radius - root) / (cone.radius - crest);
  return {{z + inwards * cut, root}, inner, false, 0};
}

void addExternalBlank(const Thread& t, std::vector<Eigen::Vector2d>& profile) {
  const double crest = t.majorDiameter / 2;
  profile.emplace_back(t.low, 0);
  if (t.ends[0].length > 0) profile.emplace_back(t.low, t.ends[0].radius);
  profile.emplace_back(t.low + t.ends[0].length, crest);
  profile.emplace_back(t.high - t.ends[1].length, crest);
  if (t.ends[1].length > 0) profile.emplace_back(t.high, t.ends[1].radius);
  profile.emplace_back(t.high, 0);
}

void addInternalBlank(const Thread& t, std::vector<Eigen::Vector2d>& profile) {
  const RingEnd low = ringEnd(t, 0), high = ringEnd(t, 1);
  profile.push_back(low.inner);
  if (low.hasFace) profile.emplace_back(t.low, low.face);
  profile.push_back(low.outer);
  profile.push_back(high.outer);
  if (high.hasFace) profile.emplace_back(t.high, high.face);
  profile.push_back(high.inner);
  profile.push_back(low.inner);
}

}  // namespace

ThreadProblem problemWith(const Thread& thread) {
  if (thread.starts < 1 || thread.starts > kMaxStarts) return "it must have 1 to 4 starts";
  if (!std::isfinite(thread.phase)) return "its phase must be finite";
  if (ThreadProblem problem = problemWithDiameters(thread)) return problem;
  return problemWithEnds(thread);
}

SolidOfRevolution threadedSolid(const Thread& thread) {
  SolidOfRevolution solid;
  (thread.isInternal ? addInternalBlank : addExternalBlank)(thread, solid.profile);
  if (thread.isInternal) solid.hole = "thread";
  solid.thread = thread;
  return solid;
}

Thread basicThread(double diameter, double pitch, bool isInternal, double low, double high) {
  const double H = threadTriangleHeight(pitch);
  Thread t;
  t.isInternal = isInternal;
  t.pitch = pitch;
  t.majorDiameter = diameter + (isInternal ? H / 8 : 0);
  t.pitchDiameter = diameter - 0.75 * H;
  t.minorDiameter = diameter - 1.25 * H - (isInternal ? 0 : H / 4);
  t.low = low;
  t.high = high;
  return t;
}

}  // namespace tenon::physics
