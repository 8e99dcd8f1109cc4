// Where a depth counts, what is too deep, and what a lean is: verdicts from ticks made by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "content/model/part_holes.h"
#include "runtime/assess/assessment.h"
#include "runtime/assess/entry_region.h"
#include "runtime/report/diagnosis_json.h"
#include "runtime/report/diagnosis_text.h"
#include "tests/runtime/contact_tick.h"

namespace tenon::runtime {
namespace {

using tests::ContactTick;
using tests::goalScene;
using tests::Standing;
using tests::tickOf;

/// Ticks every 10 ms, each as it is given.
class Watch {
 public:
  explicit Watch(content::Scene scene = goalScene()) : scene_(std::move(scene)), watch_(scene_, 0) {}

  const GoalResult& stay(Standing standing, double duration = 0.3) {
    for (int k = 0; k < std::lround(100 * duration); ++k) {
      standing.time = time_ += 0.01;
      watch_.add(tickOf(scene_, standing));
    }
    return watch_.result();
  }
  const GoalResult& stay(ContactTick tick, double duration = 0.3) {
    for (int k = 0; k < std::lround(100 * duration); ++k) {
      tick.tick.time = time_ += 0.01;
      watch_.add(tick.tick);
    }
    return watch_.result();
  }
  std::string explanation() const { return explanationOf(watch_.result(), scene_.goals[0]); }
  const content::Scene& scene() const { return scene_; }

 private:
  content::Scene scene_;
  GoalWatch watch_;
  double time_ = 0;
};

void expectParts(const std::string& explanation, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(explanation.find(part), std::string::npos) << part << " in\n" << explanation;
}

TEST(GoalDepth, ToleranceIsPlusAndMinus) {
  Watch watch;
  EXPECT_EQ(watch.stay({.depth = 0.0198}).verdict, Verdict::pending);
  EXPECT_EQ(watch.stay({.depth = 0.01991}).verdict, Verdict::inserted);
  EXPECT_EQ(watch.stay({.depth = 0.02009}).verdict, Verdict::inserted);
  EXPECT_EQ(watch.stay({.depth = 0.02011}).verdict, Verdict::tooDeep);
  EXPECT_EQ(watch.explanation(),
            "too deep: the tip is 20.11 mm deep, 0.11 mm deeper than the goal's 20.00 mm ± 0.10 mm");
  EXPECT_EQ(watch.stay({.depth = 0.03, .tilt = 0.02, .push = 30}).verdict, Verdict::tooDeep)
      << "pushed or not";
  EXPECT_EQ(watch.stay({.depth = 0.03, .held = false}).verdict, Verdict::tooDeep) << "held or not";
  EXPECT_EQ(watch.stay({.depth = 0.02}).verdict, Verdict::inserted) << "pulled back";
}

TEST(GoalDepth, WhatWentThroughTheHoleIsTooDeepWhereverItLiesThen) {
  // The hole is 40 mm deep, and so long is the peg: it leaves the hole at 80 mm.
  Watch watch;
  watch.stay({.depth = -0.01});
  watch.stay({.depth = 0.05});
  EXPECT_TRUE(watch.stay({.depth = 0.079}).atHole());
  const GoalResult& through = watch.stay({.depth = 0.0801});
  EXPECT_EQ(through.verdict, Verdict::tooDeep);
  EXPECT_FALSE(through.atHole());
  EXPECT_NEAR(through.depth, 0.0801, 1e-12);
  EXPECT_EQ(watch.explanation(),
            "too deep: the part went right through the hole; its tip is 80.10 mm below the mouth");
  EXPECT_EQ(watch.stay({.depth = 0.09, .lateral = 0.065, .tilt = 1.5}).verdict, Verdict::tooDeep);
  EXPECT_EQ(watch.stay({.depth = -0.01, .lateral = 0.065}).verdict, Verdict::pending) << "taken up again";
  EXPECT_EQ(watch.stay({.depth = 0.02}).verdict, Verdict::inserted);
}

TEST(GoalDepth, WhatFallsThroughIsNotInsertedOnItsWay) {
  const content::Scene scene = goalScene();
  const Vector3d inward = -(scene.parts[0].X_WP.q * Vector3d::UnitZ());
  for (const double speed : {0.5, 0.02, 0.0, -0.5}) {  // it would be 2.5 mm deeper after 5 ms, or 0.1 mm
    GoalWatch watch(scene, 0);
    physics::StepResult tick = tickOf(scene, {.time = 0.1, .depth = 0.01995});
    tick.bodies[1].v = speed * inward;
    watch.add(tick);
    EXPECT_EQ(watch.result().verdict, speed > 0.1 ? Verdict::pending : Verdict::inserted) << speed;
    tick.time = 0.2;
    tick.bodies[1].v = Vector3d::Zero();  // stopped by its head, say
    watch.add(tick);
    EXPECT_EQ(watch.result().verdict, Verdict::inserted) << speed;
    EXPECT_NEAR(watch.result().time, speed > 0.1 ? 0.2 : 0.1, 1e-12);
  }
  // A hole that comes along at the same speed is an empty range.
  GoalWatch watch(scene, 0);
  physics::StepResult tick = tickOf(scene, {.time = 0.1, .depth = 0.01995});
  tick.bodies[0].v = tick.bodies[1].v = 0.5 * inward;
  watch.add(tick);
  EXPECT_EQ(watch.result().verdict, Verdict::inserted);
}

TEST(GoalDepth, CountsInTheMouthsCatchAlone) {
  // The mouth is 6 mm wide in radius, its chamfer included.
  struct Case {
    Standing standing;
    bool atHole;
    double depth;
  };
  for (const Case& c :
       {Case{{.depth = 0.032, .lateral = 0.065}, false, 0},  // beside, on the bench
        Case{{.depth = 0.0005, .lateral = 0.0061}, false, 0},
        Case{{.depth = 0.0005, .lateral = 0.0059}, true, 0.0005}, Case{{.depth = -0.0119}, true, -0.0119},
        Case{{.depth = -0.0121}, false, -0.0121}, Case{{.depth = -0.005, .lateral = 0.0061}, false, -0.005},
        Case{{.depth = 0.06}, true, 0.06},                // its axis runs through the hole
        Case{{.depth = 0.081}, false, 0},                 // below the far end
        Case{{.depth = 0.02, .tilt = 3.1}, false, 0}}) {  // from the far side
    SCOPED_TRACE(testing::Message() << c.standing.depth << " " << c.standing.lateral << " "
                                    << c.standing.tilt);
    Watch watch;
    const GoalResult& goal = watch.stay(c.standing, 0.01);
    EXPECT_EQ(goal.atHole(), c.atHole);
    EXPECT_NEAR(goal.depth, c.depth, 1e-12);
  }
}

TEST(GoalDepth, OfAPartBesideTheHoleIsSaidInWords) {
  Watch watch;
  watch.stay({.depth = 0.02, .lateral = 0.065, .held = false});
  expectParts(watch.explanation(),
              {"pending: at the end the tip was beside the hole, 65.00 mm off its axis and 20.00 mm below"});
  watch.stay({.depth = 0.02, .lateral = 0.065});
  watch.stay({.depth = 0.02, .lateral = 0.065, .held = false});
  expectParts(watch.explanation(), {"released", "beside the hole, 65.00 mm off its axis"});
}

TEST(EntryRegion, FollowsThePartsAxisThroughTheHole) {
  const EntryRegion mouth{0.005, 0.02, 0.03};
  const auto stand = [](double x, double depth, double tilt) {
    InsertionPose s;
    s.tip_H = {x, 0, -depth};
    s.direction_H = {std::sin(tilt), 0, -std::cos(tilt)};
    return s;
  };
  EXPECT_TRUE(mouth.isInHole(stand(0, 0.01, 0)));
  EXPECT_TRUE(mouth.isInHole(stand(0, 0.049, 0))) << "its other end is 1 mm above the hole's";
  EXPECT_FALSE(mouth.isInHole(stand(0, 0.0501, 0)));
  EXPECT_FALSE(mouth.isInHole(stand(0.0051, 0.01, 0)));
  // The tip is 8.7 mm off the axis, below the hole; the part leans back through it.
  EXPECT_TRUE(mouth.isInHole(stand(0.0087, 0.025, 0.5)));
  EXPECT_FALSE(mouth.isInHole(stand(-0.0087, 0.025, 0.5)));
  EXPECT_FALSE(mouth.isInHole(stand(0, 0.025, std::acos(-1.0) / 2))) << "it lies below the hole";
  EXPECT_FALSE(mouth.isInHole(stand(0, -0.001, 0)));
  EXPECT_TRUE(mouth.isAboveMouth(stand(0.0049, -0.0099, 0.3)));
  EXPECT_FALSE(mouth.isAboveMouth(stand(0.0049, -0.0101, 0.3)));
  EXPECT_FALSE(mouth.isAboveMouth(stand(0.0051, -0.005, 0)));
}

// --- leaning -------------------------------------------------------------------------------------------

constexpr double kShank = 0.0049, kHead = 0.008, kLength = 0.02;

/// goalScene() with a screw: a shank of the peg's radius, 20 mm long, under a head of Ø16.
content::Scene screwScene() {
  content::Scene scene = goalScene();
  scene.parts[1].shape = physics::SolidOfRevolution{{{0, 0},
                                                     {0, kShank},
                                                     {kLength, kShank},
                                                     {kLength, kHead},
                                                     {kLength + 0.01, kHead},
                                                     {kLength + 0.01, 0}}};
  return scene;
}

/// The depth of the tip at which the tilted head's rim is `gap` above the face.
double leaningDepth(double tilt, double gap = 0) {
  return kLength * std::cos(tilt) - kHead * std::sin(tilt) - gap;
}

/// Pressed down by 5 N, the rim on the face at the side to which it leans, the shank on two walls.
ContactTick leaning(const content::Scene& scene, double tilt, double gap, bool onHead) {
  ContactTick tick(scene, {.depth = leaningDepth(tilt, gap), .tilt = tilt});
  const double friction = onHead ? 0.5 : 2.5;
  tick.add({.p_P = {0, kShank, 0},
            .n_H = -Vector3d::UnitY(),
            .force = 30,
            .friction_H = {0, 0, friction},
            .mu = 0.12});
  tick.add({.p_P = tick.shankAt(-kShank, 0.001),
            .n_H = Vector3d::UnitY(),
            .force = 30,
            .friction_H = {0, 0, friction},
            .mu = 0.12});
  if (onHead) tick.add({.p_P = {0, -kHead, kLength}, .n_H = Vector3d::UnitZ(), .force = 4, .mu = 0.12});
  return tick.balance();
}

TEST(GoalLean, AScrewWhoseHeadIsDownOnOneSideIsNotJammed) {
  // At 1.5° the rim's side is 0.21 mm lower than the middle of the head.
  const double tilt = 0.026;
  for (const double gap : {0.0, 5e-5}) {
    Watch watch(screwScene());
    const GoalResult& held = watch.stay(leaning(watch.scene(), tilt, gap, gap == 0), 1);
    EXPECT_EQ(held.verdict, Verdict::pending) << gap;
    EXPECT_TRUE(held.limitedByTilt);
    EXPECT_FALSE(held.standstill);
    EXPECT_GT(held.push, kPushForce);
    expectParts(watch.explanation(), {"pending: tilted by 1.49° it is 0.2", "mm short of its depth (",
                                      "upright it would be seated: release it or turn it upright"});
    EXPECT_EQ(watch.stay({.depth = 0.02, .held = false}).verdict, Verdict::inserted);
  }
}

TEST(GoalLean, AJamIsOneWhateverTheLean) {
  const double tilt = 0.026;
  for (const double gap : {0.0002, 0.005, 0.01}) {
    Watch watch(screwScene());
    EXPECT_EQ(watch.stay(leaning(watch.scene(), tilt, gap, false)).verdict, Verdict::jammed) << gap;
    EXPECT_FALSE(watch.stay(leaning(watch.scene(), tilt, gap, false)).limitedByTilt);
  }
  // Upright, the head 0.11 mm above the face; and down on it where the goal is deeper than that.
  Watch upright(screwScene());
  EXPECT_EQ(upright.stay({.depth = 0.01989, .push = 20}).verdict, Verdict::jammed);
  content::Scene deeper = screwScene();
  deeper.goals[0].depth = 0.0205;
  Watch early(deeper);
  EXPECT_EQ(early.stay(leaning(deeper, tilt, 0, true)).verdict, Verdict::jammed);
  EXPECT_EQ(early.stay({.depth = 0.02, .push = 20}).verdict, Verdict::jammed);
  // A pin has no head that would hold it.
  Watch pin;
  EXPECT_EQ(pin.stay({.depth = leaningDepth(tilt), .tilt = tilt, .push = 20}).verdict, Verdict::jammed);
}

TEST(GoalLean, AtDepthButTiltedIsNoJam) {
  Watch watch;
  EXPECT_EQ(watch.stay({.depth = 0.02, .tilt = 0.0101, .push = 20}).verdict, Verdict::pending);
  expectParts(watch.explanation(), {"but tilted by 0.579° where 0.573° is allowed"});
}

TEST(GoalLean, AScrewThatLeansAfterAJamIsJammedNoMore) {
  Watch watch(screwScene());
  ASSERT_EQ(watch.stay(leaning(watch.scene(), 0.026, 0.0002, false)).verdict, Verdict::jammed);
  EXPECT_EQ(watch.stay(leaning(watch.scene(), 0.026, 0, true), 0.02).verdict, Verdict::pending);
}

TEST(InsertionFitSeat, IsTheWidestCircleThatTheHoleStopsFirst) {
  const content::Scene screw = screwScene();
  const InsertionFit fit = insertionFitOf(screw, screw.goals[0]);
  EXPECT_NEAR(fit.seatedDepth(), kLength, 1e-12);
  EXPECT_NEAR(fit.seatRadius, kHead, 1e-12);
  EXPECT_NEAR(fit.seatGap(0.019, 0), 0.001, 1e-12);
  EXPECT_NEAR(fit.seatGap(leaningDepth(0.03), 0.03), 0, 1e-12);
  EXPECT_TRUE(std::isinf(insertionFitOf(goalScene(), goalScene().goals[0]).seatedDepth())) << "a pin passes";
  // A hexagon head, and a blind hole that stops the tip first.
  content::Scene hexagon = goalScene();
  physics::Hull prism;
  for (int k = 0; k < 12; ++k)
    prism.vertices.emplace_back(0.009 * std::cos(k * std::acos(0.5)), 0.009 * std::sin(k * std::acos(0.5)),
                                k < 6 ? 0.0 : 0.005);
  std::get<physics::Compound>(hexagon.parts[1].shape)
      .children.push_back({prism, physics::Pose::at({0, 0, 0.04})});
  EXPECT_NEAR(insertionFitOf(hexagon, hexagon.goals[0]).seatedDepth(), 0.04, 1e-12);
  EXPECT_NEAR(insertionFitOf(hexagon, hexagon.goals[0]).seatRadius, 0.009, 1e-12);
  std::get<physics::FacetedBlock>(hexagon.parts[0].shape).holes[0].depth = 0.012;
  EXPECT_NEAR(insertionFitOf(hexagon, hexagon.goals[0]).seatedDepth(), 0.012, 1e-12);
  EXPECT_NEAR(insertionFitOf(hexagon, hexagon.goals[0]).seatRadius, kShank, 1e-12);
}

// --- other holes ---------------------------------------------------------------------------------------

TEST(GoalInAnotherHole, NamesItAndSaysNothingOfDepth) {
  content::Scene scene = screwScene();
  auto& block = std::get<physics::FacetedBlock>(scene.parts[0].shape);
  block.holes.push_back(block.holes[0]);
  block.holes.back().name = "other";
  block.holes.back().center = {0.01, 0.02};  // 40 mm along the hole frame's y
  Watch watch(scene);
  ContactTick tick(scene, {.depth = kLength, .lateral = 0.04});
  for (const double side : {-1.0, 1.0})
    tick.add({.p_P = {0, side * kHead, kLength}, .n_H = Vector3d::UnitZ(), .force = 4});
  const GoalResult& goal = watch.stay(tick.balance());
  EXPECT_EQ(goal.verdict, Verdict::blocked);
  EXPECT_EQ(goal.depth, 0);
  EXPECT_FALSE(goal.atHole());
  EXPECT_EQ(watch.explanation(),
            "blocked: the part is in the hole plate/other, 40.00 mm beside the axis of its own, h; its head "
            "rests on the mouth face");
  EXPECT_EQ(diagnosisJson(goal)["other_hole"], "plate/other");
  // An opening that is not round, found in the file alone, explains nothing: it may surround the hole.
  content::Scene found = screwScene();
  found.parts[0].sockets.push_back(content::socketOf(
      "socket", scene.goals[0].X_IH.p, scene.goals[0].X_IH.q * Vector3d::UnitZ(), 0.12, 0.01, false));
  const auto nameIn = [](const content::Scene& in) {
    Watch pushed(in);
    ContactTick away(in, {.depth = kLength, .lateral = 0.04});
    away.add({.p_P = {0, kHead, kLength}, .n_H = Vector3d::UnitZ(), .force = 8});
    pushed.stay(away.balance());
    return pushed.explanation();
  };
  expectParts(nameIn(found), {"in the hole plate/socket"});
  found.parts[0].sockets.front().isFound = true;
  EXPECT_EQ(nameIn(found).find("plate/socket"), std::string::npos) << nameIn(found);
  // On the face between the two it is in none.
  Watch between(scene);
  ContactTick beside(scene, {.depth = 0, .lateral = 0.02});
  beside.add({.p_P = {0, 0.001, 0}, .n_H = Vector3d::UnitZ(), .force = 8});
  expectParts((between.stay(beside.balance()), between.explanation()),
              {"blocked: ", "20.00 mm beside the hole's axis"});
  EXPECT_TRUE(diagnosisJson(between.stay(beside))["other_hole"].is_null());
}

TEST(Verdicts, HaveNamesThatAreReadBack) {
  static_assert(kVerdicts.size() == static_cast<std::size_t>(Verdict::stripped) + 1);
  for (const Verdict verdict : kVerdicts)
    EXPECT_EQ(std::count_if(kVerdicts.begin(), kVerdicts.end(),
                            [&](Verdict other) { return toText(other) == toText(verdict); }),
              1)
        << toText(verdict);
  EXPECT_EQ(toText(Verdict::tooDeep), "too-deep");
}

}  // namespace
}  // namespace tenon::runtime
