// The MTM-1 estimate: its tables against published values and against the metric data card, sequences against
// sums by hand, and that it does not depend on the times of a script.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"
#include "runtime/assess/motion_estimate.h"
#include "runtime/assess/motion_times.h"
#include "tests/runtime/session_file.h"

namespace tenon::tests::motion_estimate_test {
namespace {

using namespace runtime;
using Json = nlohmann::json;

constexpr double kInch = 0.0254, kPound = 0.45359237;
constexpr double kHalfTurn = std::numbers::pi;

TEST(MotionTimes, RowsOfThePublishedTables) {
  EXPECT_DOUBLE_EQ(reachTime(ReachCase::A, 10 * kInch), 8.7);
  EXPECT_DOUBLE_EQ(reachTime(ReachCase::B, 10 * kInch), 11.5);
  EXPECT_DOUBLE_EQ(reachTime(ReachCase::C, 16 * kInch), 17.0);
  EXPECT_DOUBLE_EQ(reachTime(ReachCase::D, 16 * kInch), 17.0);
  EXPECT_DOUBLE_EQ(reachTime(ReachCase::E, 24 * kInch), 19.2);
  EXPECT_DOUBLE_EQ(reachTime(ReachCase::B, 0.5 * kInch), 2.0);
  EXPECT_DOUBLE_EQ(moveTime(MoveCase::A, 9 * kInch, 0.05), 10.5);
  EXPECT_DOUBLE_EQ(moveTime(MoveCase::B, 30 * kInch, 0), 24.3);
  EXPECT_DOUBLE_EQ(moveTime(MoveCase::C, 12 * kInch, 2.5 * kPound), 15.2);
  EXPECT_DOUBLE_EQ(turnTime(kHalfTurn, 0.1), 9.4);
  EXPECT_DOUBLE_EQ(turnTime(kHalfTurn / 2, 2), 8.5);
  EXPECT_DOUBLE_EQ(turnTime(kHalfTurn / 3, 10), 12.3);
  EXPECT_DOUBLE_EQ(positionTime(FitClass::loose, Symmetry::symmetric), 5.6);
  EXPECT_DOUBLE_EQ(positionTime(FitClass::close, Symmetry::semisymmetric), 19.7);
  EXPECT_DOUBLE_EQ(positionTime(FitClass::exact, Symmetry::nonsymmetric), 47.8);
  EXPECT_DOUBLE_EQ(disengageTime(FitClass::exact), 22.9);
  EXPECT_DOUBLE_EQ(1e5 * kTmu, 3600);
}

TEST(MotionTimes, BetweenAndBeyondTheRows) {
  EXPECT_NEAR(reachTime(ReachCase::B, 11 * kInch), (11.5 + 12.9) / 2, 1e-9);
  EXPECT_NEAR(reachTime(ReachCase::B, 40 * kInch), 25.8 + 10 * 0.7, 1e-9);
  EXPECT_NEAR(moveTime(MoveCase::B, 35 * kInch, 0), 24.3 + 5 * 0.6, 1e-9);
  // 10 lb are in the class up to 12.5 lb.
  EXPECT_NEAR(moveTime(MoveCase::C, 12 * kInch, 10 * kPound), 3.9 + 1.11 * 15.2, 1e-9);
  EXPECT_NEAR(moveTime(MoveCase::C, 12 * kInch, 100 * kPound), 16 + 1.5 * 15.2, 1e-9) << "the heaviest class";
  EXPECT_EQ(turnTime(10 * kHalfTurn / 180, 0), 0);
  EXPECT_DOUBLE_EQ(turnTime(20 * kHalfTurn / 180, 0), 2.8);
}

/// The metric card has rounded tables of its own: a slip in a table here would be off by more than its
/// rounding.
TEST(MotionTimes, AgreeWithTheMetricDataCard) {
  constexpr double kRounding = 0.15;  // [TMU]: of both cards, and of the rows that are interpolated
  const struct {
    double cm, a, b, c, e;
  } reach[] = {{20, 7.8, 10.0, 11.4, 9.2},   {30, 9.5, 12.8, 14.1, 11.7},  {40, 11.3, 15.6, 16.8, 14.1},
               {50, 13.0, 18.4, 19.6, 16.5}, {60, 14.7, 21.2, 22.3, 19.0}, {80, 18.2, 26.9, 27.7, 23.9}};
  for (const auto& row : reach) {
    EXPECT_NEAR(reachTime(ReachCase::A, row.cm / 100), row.a, kRounding) << row.cm;
    EXPECT_NEAR(reachTime(ReachCase::B, row.cm / 100), row.b, kRounding) << row.cm;
    EXPECT_NEAR(reachTime(ReachCase::C, row.cm / 100), row.c, kRounding) << row.cm;
    EXPECT_NEAR(reachTime(ReachCase::E, row.cm / 100), row.e, kRounding) << row.cm;
  }
  const struct {
    double cm, a, b, c;
  } move[] = {{20, 9.6, 10.5, 11.7},  {30, 12.7, 13.3, 15.1}, {40, 15.8, 15.6, 18.5},
              {50, 19.0, 18.0, 21.8}, {60, 22.1, 20.4, 25.2}, {80, 28.3, 25.2, 32.0}};
  for (const auto& row : move) {
    EXPECT_NEAR(moveTime(MoveCase::A, row.cm / 100, 0), row.a, kRounding) << row.cm;
    EXPECT_NEAR(moveTime(MoveCase::B, row.cm / 100, 0), row.b, kRounding) << row.cm;
    EXPECT_NEAR(moveTime(MoveCase::C, row.cm / 100, 0), row.c, kRounding) << row.cm;
  }
}

/// A screw of 17 g and a bracket of 2.4 kg, beside a plate with two loose holes and a narrow one.
constexpr const char* kScene =
    R"({"tenon": 1, "title": "Motions", "unit": "mm", "duration_s": 1, "rate_hz": 1000,
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}], "parts": [
  {"name": "plate", "material": "steel", "motion": "fixed", "position": [0, 0, -10],
   "shape": {"kind": "block", "size": [100, 40, 20], "holes": [
    {"name": "loose", "at": [-20, 0], "diameter": 8.4, "through": true}, {"name": "narrow", "at": [20, 0], "diameter": 8.02, "through": true}]}},
  {"name": "screw", "material": "steel", "position": [0, 100, 0],
   "shape": {"kind": "turned", "profile": [[0, 0], [0, 3], [1, 4], [30, 4], [30, 6.5], [38, 6.5], [38, 0]]},
   "features": [{"name": "tip", "origin": [0, 0, 0], "direction": [0, 0, -1]}]},
  {"name": "bracket", "material": "steel", "position": [0, -100, 20], "shape": {"kind": "box", "size": [80, 80, 48]}}],
  "hands": [{"name": "left", "position": [0, 0, 100]}, {"name": "right", "position": [0, 0, 200]}],
  "goals": [
   {"part": "screw", "feature": "tip", "into": "plate", "hole": "loose", "depth": 30, "depth_tolerance": 0.1, "tilt_tolerance_deg": 1},
   {"part": "screw", "feature": "tip", "into": "plate", "hole": "narrow", "depth": 30, "depth_tolerance": 0.1, "tilt_tolerance_deg": 1}]})";

class HandMotions : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "scene.json") << kScene;
    scene_ = content::loadScene(folder_ / "scene.json");
    screw_.hand = 1;
    screw_.part = 1;
    screw_.begin = 1;
    screw_.end = 3;
    screw_.reach = 10 * kInch;
    screw_.path = 13 * kInch;
    Stay stay;
    stay.goal = 0;
    stay.from = 12 * kInch;
    stay.until = 13 * kInch;
    stay.isInside = stay.isSeated = true;
    screw_.stays = {stay};
  }
  MotionEstimate estimate(const std::vector<Handling>& handlings) const {
    return estimateMotions(scene_, handlings);
  }

  TemporaryFolder folder_;
  content::Scene scene_;
  Handling screw_;
};

TEST_F(HandMotions, AScrewIntoALooseHole) {
  const MotionEstimate all = estimate({screw_});
  // R25B + G1A + M30C + P1SE + RL1; the hole is an inch deep along the path, which belongs to the position.
  EXPECT_NEAR(all.sequence(), 11.5 + 2.0 + 15.2 + 5.6 + 2.0, 1e-9);
  EXPECT_EQ(all.formulaFor(1), "R25B 11.5 + G1A 2.0 + M30C 15.2 + P1SE 5.6 + RL1 2.0");
  EXPECT_EQ(all.sequenceFor(1), all.sequence());
  EXPECT_EQ(all.sequenceFor(2), 0);
  EXPECT_EQ(all.ofHand(1), all.sequence());
  EXPECT_EQ(all.ofHand(0), 0);
}

TEST_F(HandMotions, ADeepInsertionIsMovedFurther) {
  screw_.path = 15 * kInch;
  // M5A over the two inches beyond the first one, against the stop.
  EXPECT_NEAR(estimate({screw_}).sequence(), 11.5 + 2.0 + 15.2 + 5.6 + 3.6 + 2.0, 1e-9);
  screw_.stays[0].isSeated = false;
  EXPECT_NEAR(estimate({screw_}).sequence(), 11.5 + 2.0 + 15.2 + 5.6 + 4.6 + 2.0, 1e-9) << "short of it: M5B";
}

TEST_F(HandMotions, ANarrowHoleOrAPushNeedsPressure) {
  EXPECT_EQ(fitClassOf(scene_, scene_.goals[0], 0), FitClass::loose);
  EXPECT_EQ(fitClassOf(scene_, scene_.goals[0], 20), FitClass::close);
  EXPECT_EQ(fitClassOf(scene_, scene_.goals[0], 80), FitClass::exact);
  EXPECT_EQ(fitClassOf(scene_, scene_.goals[1], 0), FitClass::close) << "20 µm";
  screw_.stays[0].push = 20;
  EXPECT_NEAR(estimate({screw_}).sequence(), 11.5 + 2.0 + 15.2 + 16.2 + 2.0, 1e-9);
}

TEST_F(HandMotions, AScrewIsTurnedHalfATurnAtATime) {
  screw_.stays[0].forward = 6 * kHalfTurn;
  screw_.stays[0].isTightened = true;
  // Six turns, between them five times RL1 + T180S + G1A; then APA.
  EXPECT_NEAR(estimate({screw_}).sequence(), 36.3 + 6 * 9.4 + 5 * (2.0 + 9.4 + 2.0) + 10.6, 1e-9);
}

TEST_F(HandMotions, ATurnDuringAMoveCountsWhereItTakesLonger) {
  screw_.stays[0].rotation = kHalfTurn;
  EXPECT_NEAR(estimate({screw_}).sequence(), 36.3, 1e-9) << "15.2 for the move, 9.4 for the turn";
  screw_.stays[0].from = 2 * kInch;
  screw_.path = 3 * kInch;
  EXPECT_NEAR(estimate({screw_}).sequence(), 11.5 + 2.0 + 9.4 + 5.6 + 2.0, 1e-9) << "5.2 for the move";
}

TEST_F(HandMotions, APartIsTakenOutOfItsHole) {
  screw_.stays[0].fromStart = screw_.stays[0].isLeft = true;
  screw_.stays[0].isSeated = false;
  screw_.stays[0].from = 0;
  screw_.stays[0].until = 1 * kInch;
  screw_.path = 11 * kInch;
  // R25B, G1A, M3B in the hole, D1E, M25B away, RL1.
  EXPECT_NEAR(estimate({screw_}).sequence(), 11.5 + 2.0 + 2.9 + 4.0 + 12.2 + 2.0, 1e-9);
}

TEST_F(HandMotions, FromHandToHandThereIsOneTransfer) {
  Handling first = screw_, second = screw_;
  first.hand = 0;
  first.end = 2;
  first.stays.clear();
  first.path = 10 * kInch;
  second.begin = 1.5;
  second.heldBefore = 0;
  const MotionEstimate all = estimate({first, second});
  EXPECT_NEAR(all.handlings[0].tmu(), 11.5 + 2.0 + 12.2, 1e-9) << "no release";
  EXPECT_NEAR(all.handlings[1].tmu(), 8.7 + 5.6 + 15.2 + 5.6 + 2.0, 1e-9) << "R25A, G3";
  EXPECT_NEAR(all.sequence(), all.handlings[0].tmu() + all.handlings[1].tmu(), 1e-9);
}

TEST_F(HandMotions, ALongCommonPathIsNoTransfer) {
  Handling first = screw_, second = screw_;
  first.hand = 0;
  first.end = 2.9;
  first.stays.clear();
  first.path = second.path = 10 * kInch;
  second.stays.clear();
  second.begin = 1.1;
  second.heldBefore = 0;
  second.together = 10 * kInch;
  const MotionEstimate all = estimate({first, second});
  EXPECT_NEAR(all.handlings[0].tmu(), 11.5 + 2.0 + 12.2 + 2.0, 1e-9);
  EXPECT_NEAR(all.sequence(), all.handlings[0].tmu(), 1e-9) << "carried once";
}

TEST_F(HandMotions, TheSumIsNotBelowTheBusierHand) {
  Handling holds = screw_, first = screw_, second = screw_;
  holds.hand = 0;
  holds.begin = 0;
  holds.end = 5;
  holds.stays.clear();
  first.stays.clear();
  second.stays.clear();
  holds.path = first.path = second.path = 0;
  first.end = 2;
  second.begin = 3;
  second.end = 4;
  first.heldBefore = second.heldBefore = 0;
  const MotionEstimate all = estimate({holds, first, second});
  EXPECT_GT(all.ofHand(1), all.ofHand(0));
  EXPECT_EQ(all.sequence(), all.ofHand(1));
}

TEST_F(HandMotions, HolesAtOnceAreOnePositionAndOnePath) {
  Stay other = screw_.stays[0];
  other.goal = 1;  // narrow
  other.from += 0.5 * kInch;
  screw_.stays[0].forward = other.forward = kHalfTurn;
  screw_.stays.push_back(other);
  EXPECT_NEAR(estimate({screw_}).sequence(), 11.5 + 2.0 + 15.2 + 16.2 + 9.4 + 2.0, 1e-9);
  // And out of both, along the same path: M5B (2 inches beyond the first inch), D2E, then MfB, D1E.
  screw_.stays[0].isLeft = screw_.stays[1].isLeft = true;
  screw_.stays[0].until = 15.5 * kInch;
  screw_.stays[1].until = 15 * kInch;
  screw_.path = 15.5 * kInch;
  EXPECT_NEAR(estimate({screw_}).sequence(),
              11.5 + 2.0 + 15.2 + 16.2 + 9.4 + 4.6 + 7.5 + moveTime(MoveCase::B, 0.5 * kInch, 0) + 4.0 + 2.0,
              1e-9);
}

TEST_F(HandMotions, ShortPathsAreFractionalOrNone) {
  screw_.reach = 0.015;
  EXPECT_TRUE(estimate({screw_}).formulaFor(1).starts_with("RfB 2.0 + G1A"))
      << estimate({screw_}).formulaFor(1);
  screw_.reach = 0.0049;
  EXPECT_TRUE(estimate({screw_}).formulaFor(1).starts_with("G1A"));
}

TEST_F(HandMotions, TwoHandsShareAWeightAndTheLongerTimeCounts) {
  const double mass = scene_.part(2).mass.mass;
  ASSERT_GT(mass, 5 * kPound);
  ASSERT_LT(mass, 7.5 * kPound);
  Handling one;
  one.hand = 0;
  one.part = 2;
  one.begin = 1;
  one.end = 3;
  one.path = 10 * kInch;
  EXPECT_NEAR(estimate({one}).sequence(), 2.0 + (2.2 + 1.06 * 12.2) + 2.0, 1e-9) << "alone";
  Handling other = one;
  other.hand = 1;
  other.reach = 10 * kInch;
  one.hands = other.hands = 2;
  const double half = mass / 2 <= 2.5 * kPound ? 12.2 : 2.2 + 1.06 * 12.2;
  const MotionEstimate both = estimate({one, other});
  EXPECT_NEAR(both.ofHand(0), 2.0 + half + 2.0, 1e-9);
  EXPECT_NEAR(both.sequence(), 11.5 + 2.0 + half + 2.0, 1e-9) << "that of the hand with the longer reach";
}

/// Records a scene and returns the estimate of its exported tables.
Json estimateOf(const std::string& scene, const TemporaryFolder& folder, const std::string& name) {
  EXPECT_NE(runTenon({"run", scene, "--record", folder / (name + ".tenon")}).exitCode, 2);
  EXPECT_EQ(
      runTenon({"export", folder / (name + ".tenon"), "--format", "json", "--out", folder / (name + ".json")})
          .exitCode,
      0);
  return Json::parse(fileText(folder / (name + ".json")));
}

TEST(MotionsOfASession, DoNotDependOnTheTimesOfItsScript) {
  const TemporaryFolder folder;
  Json scene = Json::parse(fileText(TENON_SOURCE_DIR "/content/scenes/bolt-in-plate.json"));
  std::ofstream(folder / "a.json") << scene.dump();
  for (Json& step : scene["hands"][0]["script"]) step["at_s"] = 2 * step["at_s"].get<double>();
  scene["duration_s"] = 2 * scene["duration_s"].get<double>();
  std::ofstream(folder / "b.json") << scene.dump();
  const Json quick = estimateOf(folder / "a.json", folder, "quick");
  const Json slow = estimateOf(folder / "b.json", folder, "slow");
  const Json &one = quick["operations"][0], &two = slow["operations"][0];
  EXPECT_GT(two["duration_s"].get<double>(), 1.8 * one["duration_s"].get<double>());
  EXPECT_NEAR(two["estimated_mtm1_tmu"].get<double>(), one["estimated_mtm1_tmu"].get<double>(), 0.3)
      << "of paths at other keyframes";
  // By hand, from the waypoints: reach 56 mm (R6B); the screw is taken at its middle, so the hand goes its
  // own way; a hole of 8.4 mm for 8 mm is loose.
  const std::string motions = one["mtm1_motions"];
  EXPECT_TRUE(motions.starts_with("R6B ")) << motions;
  EXPECT_NE(motions.find(" + P1SE 5.6 + "), std::string::npos) << motions;
  EXPECT_TRUE(motions.ends_with(" + RL1 2.0")) << motions;
  double sum = 0;
  for (const Json& motion : quick["mtm1_motions"]) sum += motion["tmu"].get<double>();
  EXPECT_NEAR(sum, one["estimated_mtm1_tmu"], 1e-9);
  EXPECT_NEAR(one["estimated_mtm1_s"].get<double>(), sum * 0.036, 1e-9);
  EXPECT_NEAR(quick["mtm1_totals"][0]["tmu"].get<double>(), sum, 1e-9);
  EXPECT_NEAR(quick["mtm1_totals"][1]["s"].get<double>(), sum * 0.036, 1e-9);
  EXPECT_EQ(quick["mtm1_totals"][1]["hand"], "right");
}

}  // namespace
}  // namespace tenon::tests::motion_estimate_test
