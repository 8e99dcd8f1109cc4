// How quickly and how exactly what is held follows a hand: the figures that hands in a headset are held to.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "content/reader/load_scene.h"
#include "runtime/simulation/live_world.h"
#include "tests/support/manual_clock.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using namespace runtime;
using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

constexpr std::int64_t kFrame_ns = 1'000'000'000 / 90;

/// A scene that a headset shows, its first hand, and frames of 90 Hz.
class HeldInFrames {
 public:
  explicit HeldInFrames(const std::string& name)
      : scene_(std::make_shared<content::Scene>(content::loadScene(scenePath(name)))),
        world_(scene_, {.world = options(scene_->rate)}, clock_) {}

  /// The hand is there, as a frame samples it; then come the steps of that frame, and after each of them
  /// `look`.
  template <class Look>
  void frame(const Pose& X_WH, bool closed, const Look& look) {
    xr::HandSample sample;
    sample.tracked = true;
    sample.X_WH = X_WH;
    sample.closed = closed;
    const std::vector<xr::HandSample> samples(scene_->hands.size(), sample);
    world_.mailbox().put({samples.data(), 1}, clock_.now_ns(), kFrame_ns);
    const std::int64_t end = clock_.now_ns() + kFrame_ns;
    while (world_.nextStepTime_ns() < end) {
      if (world_.nextStepTime_ns() > clock_.now_ns())
        clock_.advance(world_.nextStepTime_ns() - clock_.now_ns());
      world_.step();
      look(world_.world().stepResult());
    }
    clock_.advance(end - clock_.now_ns());
  }
  int partOf(const std::string& name) const {
    for (std::size_t k = 0; k < scene_->parts.size(); ++k)
      if (scene_->parts[k].name == name) return static_cast<int>(k);
    throw std::runtime_error("no part " + name);
  }
  const physics::StepResult& tick() const { return world_.world().stepResult(); }

 private:
  static physics::WorldOptions options(double rate) {
    physics::WorldOptions world;
    world.dt = 1 / rate;
    return world;
  }

  std::shared_ptr<const content::Scene> scene_;
  ManualClock clock_;
  LiveWorld world_;
};

constexpr double kPeak = 0.5;  ///< speed [m/s]

TEST(HandNumbers, SqueezeHoldsInTheNextTick) {
  HeldInFrames held("bolt-in-plate");
  const Pose X_WH = Pose::at({-0.028, 0, 0.004});
  for (int k = 0; k < 3; ++k) held.frame(X_WH, false, [](const physics::StepResult&) {});
  ASSERT_FALSE(held.tick().hands[0].body.valid());
  int ticks = 0, first = 0;
  held.frame(X_WH, true, [&](const physics::StepResult& tick) {
    ++ticks;
    if (first == 0 && tick.hands[0].body.valid()) first = ticks;
  });
  RecordProperty("ticks", first);
  EXPECT_EQ(first, 1) << "a squeeze is in the first step after its sample";
}

TEST(HandNumbers, WhatIsHeldFollowsAHandOfHalfAMetreASecond) {
  HeldInFrames held("bolt-in-plate");
  const Vector3d p_WScrew(-0.028, 0, 0.004);
  const auto nothing = [](const physics::StepResult&) {};
  for (int k = 0; k < 3; ++k) held.frame(Pose::at(p_WScrew), false, nothing);
  for (int k = 0; k < 3; ++k) held.frame(Pose::at(p_WScrew), true, nothing);
  const auto screw = static_cast<std::size_t>(held.partOf("screw"));
  // Lifted first; then back and forth and turning, 0.5 m/s and 2 rad/s at the most, for some seconds.
  const Vector3d middle = p_WScrew + Vector3d(0, 0, 0.25);
  for (int k = 1; k <= 90; ++k) {
    const double s = 0.5 - 0.5 * std::cos(std::numbers::pi * k / 90);
    held.frame(Pose::at(p_WScrew + s * (middle - p_WScrew)), true, nothing);
  }
  constexpr double kOmega = 5, kTurn = 2;  // [rad/s]
  double error = 0, angle = 0, fastest = 0;
  Vector3d before = held.tick().hands[0].X_WH.p;
  for (int k = 1; k <= 4 * 90; ++k) {
    const double t = k / 90.0, ease = std::min(t, 1.0);
    Pose X_WH = Pose::at(middle + ease * Vector3d(kPeak / kOmega * std::sin(kOmega * t), 0, 0));
    X_WH.q = Quaterniond(
        Eigen::AngleAxisd(ease * kTurn / kOmega * std::sin(kOmega * t), Vector3d(1, 2, 2).normalized()));
    held.frame(X_WH, true, [&](const physics::StepResult& tick) {
      const Pose X_WC = tick.hands[0].X_WH * tick.hands[0].X_CH.inverse();
      error = std::max(error, (tick.bodies[screw].X_WC.p - X_WC.p).norm());
      angle = std::max(angle, tick.bodies[screw].X_WC.q.angularDistance(X_WC.q));
      fastest = std::max(fastest, 1000 * (tick.hands[0].X_WH.p - before).norm());
      before = tick.hands[0].X_WH.p;
    });
  }
  const double degrees = angle * 180 / std::numbers::pi;
  std::printf("[ MEASURED ] %.3f mm and %.3f deg off, at up to %.2f m/s\n", 1e3 * error, degrees, fastest);
  EXPECT_GT(fastest, 0.95 * kPeak);
  EXPECT_LE(error, 1e-3);
  EXPECT_LE(degrees, 1.0);
}

}  // namespace
}  // namespace tenon::tests
