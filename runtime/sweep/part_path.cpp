// See part_path.h.
#include "runtime/sweep/part_path.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tenon::runtime {

using physics::Pose;

void PartPath::add(double time, const Pose& X_WP, bool jumps) {
  assert(times_.empty() || time > times_.back());
  length_.push_back(times_.empty() ? 0 : length_.back() + (X_WP.p - poses_.back().p).norm());
  angle_.push_back(times_.empty() ? 0 : angle_.back() + X_WP.q.angularDistance(poses_.back().q));
  times_.push_back(time);
  jumps_.push_back(jumps);
  poses_.push_back(X_WP);
}

void PartPath::stay(double time) {
  const std::size_t count = poses_.size();
  const bool rests = count > 1 && !jumps_.back() && length_[count - 1] == length_[count - 2] &&
                     angle_[count - 1] == angle_[count - 2];
  if (rests)
    times_.back() = time;
  else
    add(time, Pose(poses_.back()));
}

std::pair<std::size_t, double> PartPath::locate(double time) const {
  if (times_.size() < 2 || time <= times_.front()) return {0, 0.0};
  if (time >= times_.back()) return {times_.size() - 2, 1.0};
  const auto next = std::upper_bound(times_.begin(), times_.end(), time);
  const auto k = static_cast<std::size_t>(next - times_.begin()) - 1;
  return {k, (time - times_[k]) / (times_[k + 1] - times_[k])};
}

Pose PartPath::poseAt(double time) const {
  if (poses_.size() == 1) return poses_.front();
  const auto [k, share] = locate(time);
  const Pose &a = poses_[k], &b = poses_[k + 1];
  if (jumps_[k + 1]) return share < 1 ? a : b;
  return {a.q.slerp(share, b.q).normalized(), a.p + share * (b.p - a.p)};
}

double PartPath::moved(double from, double to, double reach) const {
  if (poses_.size() == 1) return 0;
  const auto travelled = [&](double time) {
    const auto [k, share] = locate(time);
    return length_[k] + share * (length_[k + 1] - length_[k]) +
           reach * (angle_[k] + share * (angle_[k + 1] - angle_[k]));
  };
  return travelled(to) - travelled(from);
}

}  // namespace tenon::runtime
