// See motion_track.h.
#include "runtime/export/motion_track.h"

namespace tenon::runtime {

namespace {

/// Longest way [poses]: bounds what each further pose costs.
constexpr std::size_t kLongest = 200;

bool same(const physics::Pose& a, const physics::Pose& b) {
  return a.p == b.p && a.q.coeffs() == b.q.coeffs();
}

}  // namespace

bool MotionTrack::isOn(double at, const physics::Pose& X, double time, const physics::Pose& end) const {
  const double from = kept_.times.back(), share = (at - from) / (time - from);
  const physics::Pose& start = kept_.poses.back();
  const physics::Vector3d p = start.p + share * (end.p - start.p);
  const double angle = X.q.angularDistance(start.q.slerp(share, end.q));
  return (X.p - p).norm() + reach_ * angle <= tolerance_;
}

void MotionTrack::keep(double time, const physics::Pose& X) {
  kept_.times.push_back(time);
  kept_.poses.push_back(X);
  between_.times.clear();
  between_.poses.clear();
}

void MotionTrack::add(double time, const physics::Pose& X) {
  if (kept_.times.empty()) return keep(time, X);
  if (!between_.times.empty() && same(between_.poses.front(), kept_.poses.back()) &&
      same(between_.poses.back(), kept_.poses.back()) && same(X, kept_.poses.back())) {
    between_.times.back() = time;  // at rest: its end is enough
    return;
  }
  bool on = between_.times.size() < kLongest;
  for (std::size_t k = 0; on && k < between_.times.size(); ++k)
    on = isOn(between_.times[k], between_.poses[k], time, X);
  if (!on) keep(between_.times.back(), between_.poses.back());
  between_.times.push_back(time);
  between_.poses.push_back(X);
}

content::GlbMotion MotionTrack::finish() {
  if (!between_.times.empty()) keep(between_.times.back(), between_.poses.back());
  if (kept_.times.size() == 2 && same(kept_.poses.front(), kept_.poses.back())) {
    kept_.times.pop_back();
    kept_.poses.pop_back();
  }
  return std::move(kept_);
}

}  // namespace tenon::runtime
