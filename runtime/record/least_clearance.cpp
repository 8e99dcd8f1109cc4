// See least_clearance.h.
#include "runtime/record/least_clearance.h"

#include <algorithm>
#include <utility>

#include "physics/collision/bullet/bullet_collider.h"

namespace tenon::runtime {

using physics::Pose;

LeastClearance::LeastClearance(const content::Scene& scene)
    : parts_(scene.parts.size()), collider_(physics::makeBulletCollider()), pairs_(parts_ * parts_) {
  for (const content::Part& part : scene.parts)
    collider_->addBody(part.shape, physics::Vector3d::Zero(),
                       !std::holds_alternative<physics::HalfSpace>(part.shape));
}

void LeastClearance::see(int part, double time, std::span<const Pose> X_WP) {
  const auto at = static_cast<std::size_t>(part);
  const double radius = collider_->radius({part});
  for (std::size_t other = 0; other < parts_; ++other) {
    if (other == at) continue;
    Pair& pair = pairs_[at * parts_ + other];
    const Pose X_OP = X_WP[other].inverse() * X_WP[at];
    const double moved = (X_OP.p - pair.X_OP.p).norm() + radius * X_OP.q.angularDistance(pair.X_OP.q);
    if (pair.atLeast - moved > (pair.nearest ? pair.nearest->distance : kFarthest)) continue;
    pair.X_OP = X_OP;
    measure(part, static_cast<int>(other), time, X_WP, pair);
  }
}

void LeastClearance::measure(int part, int other, double time, std::span<const Pose> X_WP, Pair& pair) {
  const physics::BodyPair bodies{{std::min(part, other)}, {std::max(part, other)}};
  const auto poseOf = [&](physics::BodyId body) { return X_WP[static_cast<std::size_t>(body.value)]; };
  const auto look = [&](double range) {
    contacts_.clear();
    collider_->findContacts(bodies, poseOf(bodies.i), poseOf(bodies.j), range, contacts_);
    double least = range;
    for (const physics::Contact& contact : contacts_) least = std::min(least, contact.delta);
    return least;
  };
  // No further than what matters, at first: a wide look finds many points.
  const double nearest = pair.nearest ? std::max(pair.nearest->distance, 0.0) : kFarthest;
  pair.atLeast = look(2 * nearest);
  if (pair.atLeast <= nearest && (!pair.nearest || pair.atLeast < pair.nearest->distance))
    pair.nearest = NearestMoment{pair.atLeast, time};
}

std::optional<NearestMoment> LeastClearance::between(int part, int other) const {
  return pairs_[static_cast<std::size_t>(part) * parts_ + static_cast<std::size_t>(other)].nearest;
}

}  // namespace tenon::runtime
