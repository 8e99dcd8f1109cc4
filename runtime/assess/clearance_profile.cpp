// See clearance_profile.h. A pair is measured only where it may be the nearest one.
#include "runtime/assess/clearance_profile.h"

#include <algorithm>

namespace tenon::runtime {

namespace {

/// Beyond the largest distance that is reported, so that a part far from all is not measured at each point
/// [m].
constexpr double kFarMargin = 0.05;

}  // namespace

std::vector<double> ClearanceProfile::displacements(int part, const Track& track,
                                                    std::span<const physics::Pose> X_WP) const {
  std::vector<double> moved(X_WP.size(), 0);
  const physics::Pose& X_W = X_WP[static_cast<std::size_t>(part)];
  for (std::size_t k = 0; k < X_WP.size() && k < track.X_OP.size(); ++k) {
    const physics::Pose X_OP = X_WP[k].inverse() * X_W;
    moved[k] =
        (X_OP.p - track.X_OP[k].p).norm() + tracker_.radius(part) * X_OP.q.angularDistance(track.X_OP[k].q);
  }
  return moved;
}

void ClearanceProfile::add(int part, std::span<const physics::Pose> X_WP) {
  const auto [at, isNew] = tracks_.try_emplace(part);
  Track& track = at->second;
  const physics::Vector3d& p = X_WP[static_cast<std::size_t>(part)].p;
  if (isNew) {
    track.lowerBound.assign(X_WP.size(), 0);
  } else {
    track.along += (p - track.last).norm();
  }
  track.last = p;
  const std::vector<double> moved = displacements(part, track, X_WP);
  if (!isNew && std::all_of(moved.begin(), moved.end(), [](double m) { return m < kSpacing; })) return;
  for (std::size_t k = 0; k < moved.size(); ++k) track.lowerBound[k] -= moved[k];
  track.points.push_back(measure(part, track, X_WP));
  track.X_OP.clear();
  for (const physics::Pose& X_WO : X_WP)
    track.X_OP.push_back(X_WO.inverse() * X_WP[static_cast<std::size_t>(part)]);
}

PathClearance ClearanceProfile::measure(int part, Track& track, std::span<const physics::Pose> X_WP) {
  PathClearance nearest{track.along, std::nullopt, -1};
  double best = ClearanceTracker::kMaxDistance;
  std::vector<int> order(X_WP.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return track.lowerBound[static_cast<std::size_t>(a)] < track.lowerBound[static_cast<std::size_t>(b)];
  });
  for (const int other : order) {
    double& bound = track.lowerBound[static_cast<std::size_t>(other)];
    if (other == part || bound > best) continue;
    if (tracker_.isExcluded(part, other) || excluded_.contains({part, other})) continue;
    const double range = nearest.distance ? best : ClearanceTracker::kMaxDistance + kFarMargin;
    const std::optional<double> found = tracker_.distanceWithin(part, other, range, X_WP);
    bound = found.value_or(range);
    if (!found || *found > best) continue;
    best = *found;
    nearest.distance = found;
    nearest.other = other;
  }
  return nearest;
}

const std::vector<PathClearance>& ClearanceProfile::of(int part) const {
  static const std::vector<PathClearance> kNone;
  const auto found = tracks_.find(part);
  return found == tracks_.end() ? kNone : found->second.points;
}

}  // namespace tenon::runtime
