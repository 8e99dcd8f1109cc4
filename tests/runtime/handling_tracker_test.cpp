// What hands did with parts, from keyframes along paths of known length and with known turns.
#include "runtime/assess/handling_tracker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <optional>
#include <vector>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"
#include "tests/support/program_run.h"

namespace tenon::tests::handling_tracker_test {
namespace {

using namespace runtime;
using physics::Pose;
using physics::Vector3d;

constexpr double kTurn = 2 * std::numbers::pi;

/// A peg above a hole at the origin, two hands and a fixture.
constexpr const char* kScene =
    R"({"tenon": 1, "title": "Hands", "unit": "mm", "duration_s": 1, "rate_hz": 1000,
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}], "parts": [
  {"name": "plate", "material": "steel", "motion": "fixed", "position": [0, 0, -10],
   "shape": {"kind": "block", "size": [60, 60, 20], "holes": [{"name": "hole", "at": [0, 0], "diameter": 8.4, "through": true}]}},
  {"name": "peg", "material": "steel", "position": [0, 0, 200],
   "shape": {"kind": "turned", "profile": [[0, 0], [0, 4], [40, 4], [40, 0]]},
   "features": [{"name": "tip", "origin": [0, 0, 0], "direction": [0, 0, -1]}]}],
  "hands": [{"name": "left", "position": [0, 0, 0]}, {"name": "right", "position": [0, 0, 0]}, {"name": "fixture 1", "position": [0, 0, 0]}],
  "goals": [{"part": "peg", "feature": "tip", "into": "plate", "hole": "hole", "depth": 15, "depth_tolerance": 0.1, "tilt_tolerance_deg": 1}]})";

class TrackedHands : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "scene.json") << kScene;
    scene_ = content::loadScene(folder_ / "scene.json");
    world_.emplace(content::buildWorld(scene_, {}));
    tracker_.emplace(scene_, *world_);
    frame_.bodies = world_->stepResult().bodies;
    frame_.hands.resize(3);
    frame_.goals.resize(1);
    X_PC_ = world_->partPose({1}, frame_.bodies[1]).inverse() * frame_.bodies[1].X_WC;
  }
  /// A keyframe with a hand at a pose; what it holds goes with it, the tip of the peg at the hand's origin.
  void at(std::size_t hand, const Pose& X_WH) {
    frame_.time += 0.01;
    frame_.hands[hand].X_WH = X_WH;
    if (frame_.hands[hand].body.value == 1) frame_.bodies[1].X_WC = X_WH * X_PC_;
    tracker_->add(frame_);
  }
  /// In steps of 1 mm.
  void along(std::size_t hand, const Vector3d& from, const Vector3d& to) {
    const int steps = static_cast<int>(std::lround((to - from).norm() * 1e3));
    for (int k = 0; k <= steps; ++k) at(hand, {turned_, from + (to - from) * k / std::max(steps, 1)});
  }

  TemporaryFolder folder_;
  content::Scene scene_;
  std::optional<physics::World> world_;
  std::optional<HandlingTracker> tracker_;
  Keyframe frame_;
  Pose X_PC_;
  physics::Quaterniond turned_ = physics::Quaterniond::Identity();
};

TEST_F(TrackedHands, ReachCarryAndInsertAPeg) {
  along(0, {0.1, 0, 0.2}, {0, 0, 0.2});
  frame_.hands[0].body.value = 1;
  along(0, {0, 0, 0.2}, {0.05, 0, 0.2});
  along(0, {0.05, 0, 0.2}, {0, 0, 0.1});
  along(0, {0, 0, 0.1}, {0, 0, -0.015});
  frame_.hands[0].body.value = -1;
  at(0, {turned_, {0, 0, -0.015}});
  along(0, {0, 0, -0.015}, {0, 0, 0.1});
  const std::vector<Handling> all = tracker_->results();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].hand, 0);
  EXPECT_EQ(all[0].part, 1);
  EXPECT_NEAR(all[0].reach, 0.1, 1e-9);
  // A path along corners is cut short by a step of the count at each of them.
  const double path = 0.05 + std::hypot(0.05, 0.1) + 0.115;
  EXPECT_NEAR(all[0].path, path, 2 * HandlingTracker::kPathStep);
  EXPECT_TRUE(all[0].end);
  ASSERT_EQ(all[0].stays.size(), 1U);
  const Stay& stay = all[0].stays[0];
  EXPECT_EQ(stay.goal, 0);
  EXPECT_TRUE(stay.isInside);
  EXPECT_FALSE(stay.isLeft);
  EXPECT_FALSE(stay.fromStart);
  // The entry region begins two radii of the mouth above it.
  EXPECT_NEAR(all[0].path - stay.from, 0.015 + 2 * 0.0042, 2e-3);
  EXPECT_EQ(stay.forward + stay.backward, 0);
}

TEST_F(TrackedHands, TremorAddsNothing) {
  for (int k = 0; k < 1000; ++k) at(0, Pose::at({1e-3 * std::sin(k), 1e-3 * std::cos(2.3 * k), 0.3}));
  frame_.hands[0].body.value = 1;
  at(0, Pose::at({0, 0, 0.3}));
  ASSERT_EQ(tracker_->results().size(), 1U);
  EXPECT_EQ(tracker_->results()[0].reach, 0);
}

TEST_F(TrackedHands, TurnsInAHoleAreCounted) {
  frame_.hands[0].body.value = 1;
  along(0, {0, 0, 0.05}, {0, 0, -0.01});
  constexpr int kSteps = 500;
  for (int k = 0; k <= kSteps; ++k) {
    turned_ = physics::exponential({0, 0, -5.25 * kTurn * k / kSteps});  // clockwise, as a screw is driven in
    at(0, {turned_, {0, 0, -0.01}});
  }
  const Stay stay = tracker_->results().at(0).stays.at(0);
  EXPECT_NEAR(stay.backward, 5.25 * kTurn, HandlingTracker::kTurnStep);
  EXPECT_EQ(stay.forward, 0);
}

TEST_F(TrackedHands, APegThatPassesTheMouthDoesNotStayThere) {
  frame_.hands[0].body.value = 1;
  along(0, {-0.05, 0, 0.003}, {0.05, 0, 0.003});
  EXPECT_TRUE(tracker_->results().at(0).stays.empty());
}

TEST_F(TrackedHands, APegIsTakenOutOfItsHole) {
  frame_.bodies[1].X_WC = Pose::at({0, 0, -0.015}) * X_PC_;
  at(0, Pose::at({0, 0, -0.015}));
  frame_.hands[0].body.value = 1;
  along(0, {0, 0, -0.015}, {0, 0, 0.1});
  const Handling handling = tracker_->results().at(0);
  ASSERT_EQ(handling.stays.size(), 1U);
  EXPECT_TRUE(handling.stays[0].fromStart);
  EXPECT_TRUE(handling.stays[0].isLeft);
  EXPECT_NEAR(handling.stays[0].until, 0.015 + 2 * 0.0042, 2e-3);
  EXPECT_FALSE(handling.end) << "still held";
}

TEST_F(TrackedHands, AFixtureIsNoHand) {
  frame_.hands[2].body.value = 1;
  along(2, {0, 0, 0.3}, {0, 0, 0.2});
  EXPECT_TRUE(tracker_->results().empty());
}

TEST_F(TrackedHands, TheSecondHandOfTwo) {
  frame_.hands[0].body.value = 1;
  at(0, Pose::at({0, 0, 0.2}));
  along(1, {0.2, 0, 0.2}, {0.1, 0, 0.2});
  frame_.hands[1].body.value = 1;
  at(1, Pose::at({0.1, 0, 0.2}));
  const std::vector<Handling> all = tracker_->results();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].hands, 2);
  EXPECT_EQ(all[1].hands, 2);
  EXPECT_EQ(all[0].heldBefore, -1);
  EXPECT_EQ(all[1].heldBefore, 0);
}

TEST_F(TrackedHands, AHandOverAtOneInstantIsTheSameInBothDirections) {
  for (const std::size_t first : {0U, 1U}) {
    frame_ = Keyframe();
    SetUp();
    const std::size_t second = 1 - first;
    frame_.hands[first].body.value = 1;
    along(first, {0, 0, 0.2}, {0, 0, 0.3});
    frame_.hands[first].body.value = -1;
    frame_.hands[second].body.value = 1;
    at(second, Pose::at({0, 0, 0.3}));
    const std::vector<Handling> all = tracker_->results();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].hand, static_cast<int>(first));
    EXPECT_TRUE(all[0].end);
    EXPECT_EQ(all[1].heldBefore, -1);
    EXPECT_EQ(all[1].hands, 1);
  }
}

TEST_F(TrackedHands, TheCommonPathOfTwoHands) {
  frame_.hands[0].body.value = 1;
  at(0, Pose::at({0, 0, 0.2}));
  frame_.hands[1].body.value = 1;
  at(1, Pose::at({0, 0, 0.2}));
  along(1, {0, 0, 0.2}, {0, 0, 0.25});
  frame_.hands[0].body.value = -1;
  along(1, {0, 0, 0.25}, {0, 0, 0.3});
  EXPECT_NEAR(tracker_->results().at(1).together, 0.05, 1e-9);
}

TEST_F(TrackedHands, ThePushAndTheSeatAreThoseOfEachStay) {
  const auto goal = [&](const char* verdict, double push, double maxPush) {
    frame_.goals[0] = {verdict, 0, 0, push, maxPush};
  };
  frame_.hands[0].body.value = 1;
  at(0, Pose::at({0, 0, 0.1}));
  goal("pending", 0, 0);
  along(0, {0, 0, 0.1}, {0, 0, -0.01});
  goal("inserted", 60, 60);
  at(0, Pose::at({0, 0, -0.015}));
  goal("pending", 0, 60);
  along(0, {0, 0, -0.015}, {0, 0, 0.1});
  along(0, {0, 0, 0.1}, {0, 0, -0.01});
  goal("pending", 5, 60);
  at(0, Pose::at({0, 0, -0.01}));
  const Handling handling = tracker_->results().at(0);
  ASSERT_EQ(handling.stays.size(), 2U);
  EXPECT_EQ(handling.stays[0].push, 60);
  EXPECT_EQ(handling.stays[1].push, 5);
  EXPECT_FALSE(handling.stays[1].isSeated) << "not again";
}

TEST_F(TrackedHands, APoseIsReachedAtTheEndOfThePath) {
  content::Goal& goal = scene_.goals[0];
  goal.pose =
      content::GoalPose{world_->partPose({0}, frame_.bodies[0]).inverse() * Pose::at({0, 0, -0.015}), 1e-3};
  tracker_.emplace(scene_, *world_);
  turned_ = physics::exponential({0, 0, kTurn / 4});
  frame_.hands[0].body.value = 1;
  along(0, {0, 0, 0.2}, {0.1, 0, 0.2});
  along(0, {0.1, 0, 0.2}, {0, 0, 0.2});
  constexpr int kSteps = 50;
  for (int k = 0; k <= kSteps; ++k) {
    turned_ = physics::exponential({0, 0, kTurn / 4 * (1 - static_cast<double>(k) / kSteps)});
    at(0, {turned_, {0, 0, 0.2}});
  }
  along(0, {0, 0, 0.2}, {0, 0, -0.015});
  frame_.hands[0].body.value = -1;
  at(0, {turned_, {0, 0, -0.015}});
  const Handling handling = tracker_->results().at(0);
  ASSERT_EQ(handling.stays.size(), 1U);
  const Stay& stay = handling.stays[0];
  EXPECT_FALSE(stay.fromStart);
  EXPECT_TRUE(stay.isInside);
  EXPECT_NEAR(stay.from, handling.path, 1e-3) << "within the tolerance of the depth";
  EXPECT_NEAR(stay.rotation, kTurn / 4, 1e-9);
}

TEST_F(TrackedHands, WhereAnUndoMovesAHandThereIsNoPath) {
  along(0, {0.1, 0, 0.2}, {0, 0, 0.2});
  SessionEvent undo;
  undo.kind = "undo";
  undo.time = frame_.time + 0.005;
  tracker_->add(undo);
  along(0, {0.5, 0, 0.2}, {0.4, 0, 0.2});
  frame_.hands[0].body.value = 1;
  at(0, Pose::at({0.4, 0, 0.2}));
  EXPECT_NEAR(tracker_->results().at(0).reach, 0.2, 1e-9) << "not the half meter between";
}

}  // namespace
}  // namespace tenon::tests::handling_tracker_test
