// The loop with its clock, and what is read off the poses.
#include "tests/bench/pile/pile_trial.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "content/reader/load_scene.h"
#include "physics/collision/bullet/bullet_collider.h"
#include "physics/math/nan_max.h"

namespace tenon::bench {
namespace {

/// Of the drift at the end [s].
constexpr double kDriftTime = 0.1;

content::Scene load(int blocks, double friction, int seed) {
  return content::loadScene(
      TENON_SOURCE_DIR "/content/scenes/pile.json",
      {{"blocks", blocks}, {"friction", friction}, {"seed", static_cast<double>(seed)}});
}

std::optional<double> median(std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double meanWay(std::span<const Pose> from, std::span<const Pose> to) {
  double sum = 0;
  for (std::size_t k = 0; k < from.size(); ++k) sum += (to[k].p - from[k].p).norm();
  return sum / static_cast<double>(from.size());
}

}  // namespace

PileTrial::PileTrial(int count, double mu, int seed)
    : blocks(count), friction(mu), scene(load(count, mu, seed)) {
  dt = 1 / scene.rate;
  steps = static_cast<int>(std::lround(scene.duration * scene.rate));
  for (std::size_t k = 0; k < scene.parts.size(); ++k)
    (part(k).motion == physics::MotionType::fixed ? walls : boxes).push_back(k);
}

const Vector3d& PileTrial::halfExtents(std::size_t box) const {
  return std::get<physics::Box>(part(box).shape).halfExtents;
}

OverlapMeter::OverlapMeter(const PileTrial& trial)
    : boxes_(trial.boxes), collider_(physics::makeBulletCollider()) {
  for (const content::Part& part : trial.scene.parts) {
    collider_->addBody(part.shape, Vector3d::Zero(), part.motion != physics::MotionType::fixed);
    poses_.push_back(part.X_WP);
  }
  reach_.assign(poses_.size(), 0);
}

double OverlapMeter::worst(std::span<const Pose> X_WB) {
  for (std::size_t k = 0; k < boxes_.size(); ++k) {
    if (!X_WB[k].p.allFinite() || !X_WB[k].q.coeffs().allFinite())
      return std::numeric_limits<double>::quiet_NaN();
    poses_[boxes_[k]] = X_WB[k];
  }
  collider_->findPairs(poses_, reach_, pairs_);
  double deepest = 0;
  for (const physics::BodyPair& pair : pairs_) {
    contacts_.clear();
    const auto pose = [&](physics::BodyId id) { return poses_[static_cast<std::size_t>(id.value)]; };
    collider_->findContacts(pair, pose(pair.i), pose(pair.j), 0, contacts_);
    for (const physics::Contact& contact : contacts_) deepest = std::max(deepest, -contact.separation);
  }
  return deepest;
}

PileOutcome measure(const PileTrial& trial, PileEngine& engine, const Patience& patience) {
  using Clock = std::chrono::steady_clock;
  OverlapMeter meter(trial);
  PileOutcome outcome;
  std::vector<double> settling_us, resting_us;
  std::vector<Pose> poses(trial.boxes.size()), earlier(trial.boxes.size());
  const int driftSteps = static_cast<int>(std::lround(kDriftTime / trial.dt));
  double spent = 0;  // s
  engine.poses(earlier);
  for (int k = 1; k <= trial.steps && spent < patience.budget; ++k) {
    const auto start = Clock::now();
    engine.step();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    spent += seconds;
    outcome.simulated = k * trial.dt;
    if (outcome.simulated > kResting)
      resting_us.push_back(seconds * 1e6);
    else if (outcome.simulated > kLanding)
      settling_us.push_back(seconds * 1e6);
    if (k % patience.every == 0) {
      engine.poses(poses);
      const double depth = meter.worst(poses);
      outcome.penetration = physics::nanMax(outcome.penetration, depth);
      if (outcome.simulated > kResting)
        outcome.restingPenetration = physics::nanMax(outcome.restingPenetration.value_or(0), depth);
    }
    if (k % driftSteps == 0) {
      engine.poses(poses);
      outcome.drift = meanWay(earlier, poses) / kDriftTime;
      earlier = poses;
    }
  }
  outcome.settling_us = median(settling_us);
  outcome.resting_us = median(resting_us);
  outcome.remark = engine.remark();
  return outcome;
}

}  // namespace tenon::bench
