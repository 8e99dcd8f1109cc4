// See interaction.h.
#include "xr/interaction/interaction.h"

#include <algorithm>
#include <cassert>

#include "xr/hands/pose_interpolation.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::xr {

namespace {

using physics::BodyId;
using physics::BodyState;
using physics::HandId;
using physics::Pose;
using physics::World;

bool isDynamic(const World& world, BodyId body) {
  return static_cast<std::size_t>(body.value) < world.bodyCount() &&
         world.body(body).motion == physics::MotionType::dynamic;
}

/// The dynamic part nearest to `p_W` [m] within `maxDistance` [m]; an invalid id if there is none.
BodyId nearestPart(const World& world, const physics::Vector3d& p_W, double maxDistance) {
  NearestPart nearest(maxDistance);
  for (int i = 0; i < static_cast<int>(world.bodyCount()); ++i) {
    const BodyId body{i};
    if (!isDynamic(world, body)) continue;
    const Pose X_WP = world.partPose(body, world.stepResult().bodies[static_cast<std::size_t>(i)]);
    nearest.consider(i, boundsOf(world.body(body).shape), X_WP, p_W);
  }
  return BodyId{nearest.part()};
}

/// The pose of closing: that of the sample, else the hand's last target.
Pose closingPose(const HandSample& sample, const physics::HandState& state) {
  if (sample.X_WH_closed) return *sample.X_WH_closed;
  return sample.posesPart || sample.frameBlend ? state.X_WH : sample.X_WH;
}

/// True if the forces of two hands on a part oppose each other.
bool pullApart(const physics::HandState& a, const physics::HandState& b) {
  return a.force.dot(b.force) <= 0;
}

/// The grip of a hand that grasps `body` at this pose.
Pose gripAt(const Pose& X_WH, BodyId body, const World& world) {
  return world.partPose(body, world.stepResult().bodies[static_cast<std::size_t>(body.value)]).inverse() *
         X_WH;
}

/// The grip of a hand that holds a part: constant since the grasp.
Pose gripOf(const physics::HandState& state, const World& world) {
  const Pose X_CP = world.partPose(state.body, BodyState());
  return X_CP.inverse() * state.X_CH;
}

}  // namespace

Interaction::Interaction(std::size_t handCount) : hands_(handCount) {}

std::optional<physics::Grab> Interaction::grabFor(HandId id, const HandSample& sample,
                                                  const World& world) const {
  const Pose X_WH = closingPose(sample, world.stepResult().hands[static_cast<std::size_t>(id.value)]);
  const BodyId body =
      sample.wantedPart >= 0 ? BodyId{sample.wantedPart} : nearestPart(world, X_WH.p, sample.grabRadius);
  if (!body.valid() || !isDynamic(world, body)) return std::nullopt;
  return physics::Grab{id, body, X_WH};
}

std::optional<Pose> Interaction::handPose(const HandSample& sample, const Hand& hand, bool holds) {
  if (!sample.posesPart && !sample.frameBlend) return sample.X_WH;
  if (!hand.X_PH || (sample.posesPart && !holds)) return std::nullopt;
  const Pose& X_PH = *hand.X_PH;
  if (!sample.posesPart)
    return interpolatePose(sample.frameBlend->start * X_PH, sample.X_WH, sample.frameBlend->fraction);
  if (!sample.frameBlend) return sample.X_WH * X_PH;
  const Pose start_WP = sample.frameBlend->start * X_PH.inverse();
  return interpolatePose(start_WP, sample.X_WH, sample.frameBlend->fraction) * X_PH;
}

bool Interaction::switchesPart(const HandSample& sample, std::size_t hand) const {
  return hands_[hand].wasClosed && sample.closed && sample.wantedPart != hands_[hand].wantedPart;
}

bool Interaction::releases(const HandSample& sample, std::size_t hand) const {
  return sample.tracked && hands_[hand].wasClosed && (!sample.closed || switchesPart(sample, hand));
}

void Interaction::regraspWithOtherHand(const std::vector<HandSample>& samples, const World& world,
                                       std::vector<physics::Command>& commands) const {
  const auto& states = world.stepResult().hands;
  for (std::size_t k = 0; k < hands_.size(); ++k) {
    if (!states[k].body.valid() || releases(samples[k], k)) continue;
    for (std::size_t h = 0; h < hands_.size(); ++h) {
      if (h == k || states[h].body != states[k].body || !releases(samples[h], h)) continue;
      if (!pullApart(states[h], states[k])) continue;
      commands.emplace_back(
          physics::Grab{HandId{static_cast<std::int32_t>(k)}, states[k].body, states[k].X_WH});
      break;
    }
  }
}

void Interaction::commandsFor(const std::vector<HandSample>& samples, const World& world,
                              std::vector<physics::Command>& commands) {
  assert(samples.size() == hands_.size() && world.handCount() == hands_.size());
  const std::size_t before = commands.size();
  regraspWithOtherHand(samples, world, commands);
  const auto regrasps = [&](HandId id) {
    for (std::size_t c = before; c < commands.size(); ++c)
      if (const auto* grab = std::get_if<physics::Grab>(&commands[c]); grab != nullptr && grab->hand == id)
        return true;
    return false;
  };
  for (std::size_t h = 0; h < hands_.size(); ++h) {
    const HandSample& sample = samples[h];
    if (!sample.tracked) continue;
    Hand& hand = hands_[h];
    const HandId id{static_cast<std::int32_t>(h)};
    const physics::HandState& state = world.stepResult().hands[h];
    bool holds = state.body.valid();
    if (holds) hand.X_PH = regrasps(id) ? gripAt(state.X_WH, state.body, world) : gripOf(state, world);

    const bool isReleasing = releases(sample, h);
    if (isReleasing) {
      commands.emplace_back(physics::Release{id});
      holds = false;
    }
    if (sample.closed && (!hand.wasClosed || isReleasing)) {
      hand.wantedPart = sample.wantedPart;
      if (const auto grab = grabFor(id, sample, world)) {
        hand.X_PH = gripAt(grab->X_WH, grab->body, world);
        holds = true;
        commands.emplace_back(*grab);
      }
    }
    hand.wasClosed = sample.closed;
    if (const auto X_WH = handPose(sample, hand, holds)) commands.emplace_back(physics::MoveHand{id, *X_WH});
  }
}

void Interaction::requireReopening(const std::vector<HandSample>& samples) {
  for (std::size_t h = 0; h < std::min(samples.size(), hands_.size()); ++h) {
    if (!samples[h].closed) continue;
    hands_[h].wasClosed = true;
    hands_[h].wantedPart = samples[h].wantedPart;
  }
}

}  // namespace tenon::xr
