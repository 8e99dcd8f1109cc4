// See ray_grab.h.
#include "xr/interaction/ray_grab.h"

#include <algorithm>
#include <cmath>

#include "xr/interaction/interaction.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::xr {

using physics::Pose;

RayGrab::RayGrab(const content::Scene& scene, const Picker& picker)
    : scene_(&scene), picker_(&picker), states_(scene.hands.size()), samples_(scene.hands.size()) {
  for (const content::Part& part : scene.parts) boxes_.push_back(boundsOf(part.shape));
}

int RayGrab::nearestTo(const HandSample& sample, std::span<const Pose> X_WP) const {
  NearestPart nearest(sample.grabRadius);
  for (std::size_t k = 0; k < boxes_.size(); ++k)
    if (scene_->parts[k].motion == physics::MotionType::dynamic)
      nearest.consider(static_cast<int>(k), boxes_[k], X_WP[k], sample.X_WH.p);
  return nearest.part();
}

bool RayGrab::isGraspable(const std::optional<PartHit>& hit) const {
  return hit && scene_->parts[static_cast<std::size_t>(hit->part)].motion == physics::MotionType::dynamic;
}

std::optional<PartHit> RayGrab::hitBy(const Ray& ray, std::span<const Pose> X_WP) const {
  auto hit = picker_->pick(ray, X_WP);
  if (!hit || hit->distance > kMaxDistance / scale_) return std::nullopt;
  return hit;
}

std::optional<PartHit> RayGrab::hitNearby(const Ray& ray, std::span<const Pose> X_WP) const {
  double minAngle = kAssistAngle;
  std::size_t nearest = boxes_.size();
  Vector3d direction = ray.direction;
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    if (scene_->parts[k].motion != physics::MotionType::dynamic || boxes_[k].isEmpty()) continue;
    const Vector3d toCenter = X_WP[k] * boxes_[k].center() - ray.origin;
    const double angle = std::atan2(ray.direction.cross(toCenter).norm(), ray.direction.dot(toCenter));
    if (!(angle < minAngle)) continue;
    minAngle = angle;
    nearest = k;
    direction = toCenter.normalized();
  }
  if (nearest == boxes_.size()) return std::nullopt;
  auto hit = hitBy({ray.origin, direction}, X_WP);
  if (!hit || hit->part != static_cast<int>(nearest))
    return std::nullopt;  // hidden, or its center is in a hole
  return hit;
}

HandSample RayGrab::atEnd(const HandSample& sample, const PointingHand& hand, Rod& rod) const {
  if (hand.p_WShoulder) {
    const Vector3d arm = sample.X_WH.p - *hand.p_WShoulder;
    if (!rod.arm_W) rod.arm_W = arm - rod.stretch * rod.along_W;
    rod.stretch = (arm - *rod.arm_W).dot(rod.along_W);
  }
  HandSample out = sample;
  out.X_WH.p = sample.X_WH * Vector3d(std::max(0.0, 1 + scale_ * rod.stretch / kDoublingStretch) * rod.end);
  out.wantedPart = rod.part;
  return out;
}

void RayGrab::update(std::span<const HandSample> samples, std::span<const PointingHand> hands,
                     std::span<const Pose> X_WP) {
  for (std::size_t h = 0; h < states_.size(); ++h) {
    const HandSample& sample = samples[h];
    State& state = states_[h];
    if (!sample.tracked) {  // keeps its state
      samples_[h].tracked = false;
      state.nearPart = -1;
      continue;
    }
    state.farHit.reset();
    state.nearPart = state.wasClosed ? -1 : nearestTo(sample, X_WP);
    if (!sample.closed) state.rod.reset();
    if (!state.wasClosed && hands[h].direction && state.nearPart < 0) {
      const Ray ray{sample.X_WH.p, sample.X_WH.q * *hands[h].direction};
      std::optional<PartHit> hit = hitBy(ray, X_WP);
      if (!isGraspable(hit)) hit = hitNearby(ray, X_WP);
      if (isGraspable(hit) && sample.closed)
        state.rod = Rod{hit->part, sample.X_WH.inverse() * hit->p_W, (hit->p_W - sample.X_WH.p).normalized(),
                        std::nullopt, 0};
      else if (isGraspable(hit))
        state.farHit = hit;
    }
    if (sample.closed) state.nearPart = -1;
    state.wasClosed = sample.closed;
    samples_[h] = state.rod ? atEnd(sample, hands[h], *state.rod) : sample;
  }
}

}  // namespace tenon::xr
