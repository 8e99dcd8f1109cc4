// See clearance_tracker.h.
#include "runtime/assess/clearance_tracker.h"

#include <algorithm>

#include "physics/collision/bullet/bullet_collider.h"

namespace tenon::runtime {

using physics::Pose;

namespace {

constexpr double kNear =
    1e-3;  ///< first search distance [m], then four times as far each time: wide searches are slow
constexpr double kRounding = 1e-9;  ///< [m]

const Pose& poseOf(std::span<const Pose> X_WP, int part) {
  return X_WP[static_cast<std::size_t>(part)];
}

}  // namespace

ClearanceTracker::ClearanceTracker(const content::Scene& scene) : collider_(physics::makeBulletCollider()) {
  for (const content::Part& part : scene.parts)
    collider_->addBody(part.shape, physics::Vector3d::Zero(),
                       !std::holds_alternative<physics::HalfSpace>(part.shape));
}

void ClearanceTracker::update(int part, double time, std::span<const Pose> X_WP) {
  const auto [row, isNew] = pairs_.try_emplace(part);
  for (int other = 0; isNew && other < static_cast<int>(X_WP.size()); ++other) {
    if (other == part || excluded_.contains({part, other})) continue;
    Pair& pair = row->second.emplace_back();
    pair.part = part;
    pair.other = other;
  }
  for (Pair& pair : row->second) {
    const Pose X_OP = poseOf(X_WP, pair.other).inverse() * poseOf(X_WP, part);
    const double moved = (X_OP.p - pair.X_OP.p).norm() + radius(part) * X_OP.q.angularDistance(pair.X_OP.q);
    if (pair.lowerBound - moved > (pair.nearest ? pair.nearest->distance : kMaxDistance)) continue;
    pair.X_OP = X_OP;
    measure(pair, moved, time, X_WP);
  }
}

void ClearanceTracker::measure(Pair& pair, double moved, double time, std::span<const Pose> X_WP) {
  const double matters = pair.nearest ? std::max(pair.nearest->distance, 0.0) : kMaxDistance;
  // Twice the distance that matters: the next measurements can then be skipped for a while.
  const double farthest = 2 * matters;
  double range =
      std::min(pair.isExact ? std::max(pair.lowerBound, 0.0) + moved + kRounding : kNear, farthest);
  std::optional<double> found;
  while (!(found = distanceWithin(pair.part, pair.other, range, X_WP)) && range < farthest)
    range = std::min(4 * range, farthest);
  pair.isExact = found.has_value();
  pair.lowerBound = found.value_or(range);
  if (found && *found <= matters && (!pair.nearest || *found < pair.nearest->distance))
    pair.nearest = MinimumClearance{*found, time};
}

std::optional<double> ClearanceTracker::distanceWithin(int part, int other, double range,
                                                       std::span<const Pose> X_WP) {
  const physics::BodyPair bodies{{std::min(part, other)}, {std::max(part, other)}};
  contacts_.clear();
  collider_->findContacts(bodies, poseOf(X_WP, bodies.i.value), poseOf(X_WP, bodies.j.value), range,
                          contacts_);
  if (contacts_.empty()) return std::nullopt;
  return std::min_element(contacts_.begin(), contacts_.end(),
                          [](const auto& a, const auto& b) { return a.separation < b.separation; })
      ->separation;
}

std::optional<MinimumClearance> ClearanceTracker::between(int part, int other) const {
  const auto row = pairs_.find(part);
  if (row == pairs_.end()) return std::nullopt;
  const auto at = std::find_if(row->second.begin(), row->second.end(),
                               [other](const Pair& pair) { return pair.other == other; });
  return at == row->second.end() ? std::nullopt : at->nearest;
}

}  // namespace tenon::runtime
