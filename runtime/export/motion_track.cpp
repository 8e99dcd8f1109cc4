// See motion_track.h.
#include "runtime/export/motion_track.h"

namespace tenon::runtime {

namespace {

/// Longest segment [poses]: bounds the cost of each further pose.
constexpr std::size_t kLongest = 200;

bool same(const physics::Pose& a, const physics::Pose& b) {
  return a.p == b.p && a.q.coeffs() == b.q.coeffs();
}

}  // namespace

bool MotionTrack::isWithinTolerance(double at, const physics::Pose& X, double time,
                                    const physics::Pose& end) const {
  const double from = keyPoses_.times.back(), share = (at - from) / (time - from);
  const physics::Pose& start = keyPoses_.poses.back();
  const physics::Vector3d p = start.p + share * (end.p - start.p);
  const double angle = X.q.angularDistance(start.q.slerp(share, end.q));
  return (X.p - p).norm() + reach_ * angle <= tolerance_;
}

void MotionTrack::keep(double time, const physics::Pose& X) {
  keyPoses_.times.push_back(time);
  keyPoses_.poses.push_back(X);
  candidates_.times.clear();
  candidates_.poses.clear();
}

void MotionTrack::add(double time, const physics::Pose& X) {
  if (keyPoses_.times.empty()) return keep(time, X);
  if (!candidates_.times.empty() && same(candidates_.poses.front(), keyPoses_.poses.back()) &&
      same(candidates_.poses.back(), keyPoses_.poses.back()) && same(X, keyPoses_.poses.back())) {
    candidates_.times.back() = time;  // at rest: store only its end
    return;
  }
  bool on = candidates_.times.size() < kLongest;
  for (std::size_t k = 0; on && k < candidates_.times.size(); ++k)
    on = isWithinTolerance(candidates_.times[k], candidates_.poses[k], time, X);
  if (!on) keep(candidates_.times.back(), candidates_.poses.back());
  candidates_.times.push_back(time);
  candidates_.poses.push_back(X);
}

content::GlbAnimation MotionTrack::finish() {
  if (!candidates_.times.empty()) keep(candidates_.times.back(), candidates_.poses.back());
  if (keyPoses_.times.size() == 2 && same(keyPoses_.poses.front(), keyPoses_.poses.back())) {
    keyPoses_.times.pop_back();
    keyPoses_.poses.pop_back();
  }
  return std::move(keyPoses_);
}

}  // namespace tenon::runtime
