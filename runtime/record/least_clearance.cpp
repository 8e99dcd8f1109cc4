// See least_clearance.h.
#include "runtime/record/least_clearance.h"

#include <algorithm>

#include "physics/collision/bullet/bullet_collider.h"

namespace tenon::runtime {

using physics::Pose;

namespace {

constexpr double kNear =
    1e-3;  ///< a first look reaches so far [m], each one further four times: wide ones cost
constexpr double kRounding = 1e-9;  ///< [m]

const Pose& poseOf(std::span<const Pose> X_WP, int part) {
  return X_WP[static_cast<std::size_t>(part)];
}

}  // namespace

LeastClearance::LeastClearance(const content::Scene& scene) : collider_(physics::makeBulletCollider()) {
  for (const content::Part& part : scene.parts)
    collider_->addBody(part.shape, physics::Vector3d::Zero(),
                       !std::holds_alternative<physics::HalfSpace>(part.shape));
}

void LeastClearance::see(int part, double time, std::span<const Pose> X_WP) {
  const auto [row, isNew] = pairs_.try_emplace(part);
  for (int other = 0; isNew && other < static_cast<int>(X_WP.size()); ++other) {
    if (other == part || leftOut_.contains({part, other})) continue;
    Pair& pair = row->second.emplace_back();
    pair.part = part;
    pair.other = other;
  }
  for (Pair& pair : row->second) {
    const Pose X_OP = poseOf(X_WP, pair.other).inverse() * poseOf(X_WP, part);
    const double moved =
        (X_OP.p - pair.X_OP.p).norm() + collider_->radius({part}) * X_OP.q.angularDistance(pair.X_OP.q);
    if (pair.atLeast - moved > (pair.nearest ? pair.nearest->distance : kFarthest)) continue;
    pair.X_OP = X_OP;
    measure(pair, moved, time, X_WP);
  }
}

void LeastClearance::measure(Pair& pair, double moved, double time, std::span<const Pose> X_WP) {
  const double matters = pair.nearest ? std::max(pair.nearest->distance, 0.0) : kFarthest;
  // Twice as far as what matters: the next looks can then be spared for a while.
  const double farthest = 2 * matters;
  double range = std::min(pair.isExact ? std::max(pair.atLeast, 0.0) + moved + kRounding : kNear, farthest);
  std::optional<double> found;
  while (!(found = distance(pair, range, X_WP)) && range < farthest) range = std::min(4 * range, farthest);
  pair.isExact = found.has_value();
  pair.atLeast = found.value_or(range);
  if (found && *found <= matters && (!pair.nearest || *found < pair.nearest->distance))
    pair.nearest = NearestMoment{*found, time};
}

std::optional<double> LeastClearance::distance(const Pair& pair, double range, std::span<const Pose> X_WP) {
  const physics::BodyPair bodies{{std::min(pair.part, pair.other)}, {std::max(pair.part, pair.other)}};
  contacts_.clear();
  collider_->findContacts(bodies, poseOf(X_WP, bodies.i.value), poseOf(X_WP, bodies.j.value), range,
                          contacts_);
  if (contacts_.empty()) return std::nullopt;
  return std::min_element(contacts_.begin(), contacts_.end(),
                          [](const auto& a, const auto& b) { return a.delta < b.delta; })
      ->delta;
}

std::optional<NearestMoment> LeastClearance::between(int part, int other) const {
  const auto row = pairs_.find(part);
  if (row == pairs_.end()) return std::nullopt;
  const auto at = std::find_if(row->second.begin(), row->second.end(),
                               [other](const Pair& pair) { return pair.other == other; });
  return at == row->second.end() ? std::nullopt : at->nearest;
}

}  // namespace tenon::runtime
