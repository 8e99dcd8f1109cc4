// Why a part stopped: hand-made standstills with a known answer.
#include "runtime/assess/jam_diagnosis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "runtime/assess/assessment.h"
#include "runtime/report/diagnosis_json.h"
#include "runtime/report/diagnosis_text.h"
#include "tests/runtime/contact_tick.h"

namespace tenon::runtime::jam_diagnosis_test {
namespace {

using tests::ContactTick;
using tests::diagnosisOf;
using tests::goalScene;

constexpr double kR = 0.0049;     // of the peg
constexpr double kMouth = 0.001;  // depth of the bore's edge
constexpr double kTilt = 1e-4;    // small, as the theory has it

/// Two-point contact ℓ apart: `lower` and `upper` normal forces, friction `share` of what μ allows, up.
ContactTick twoPoint(const content::Scene& scene, double length, double mu, double lower, double upper,
                     double share, bool pegFirst = false) {
  ContactTick made(scene, {.depth = kMouth + length + kR * std::sin(kTilt), .tilt = kTilt}, pegFirst);
  const Vector3d up = share * mu * Vector3d::UnitZ();
  made.add(
      {.p_P = {0, kR, 0}, .n_H = -Vector3d::UnitY(), .force = lower, .friction_H = lower * up, .mu = mu});
  made.add({.p_P = made.shankAt(-kR, kMouth),
            .n_H = {0, 1, kTilt},
            .force = upper,
            .friction_H = upper * up,
            .mu = mu});
  return made;
}

TEST(JamDiagnosis, APegThatJustSlidesIsOnTheBorderOfTheJammingDiagram) {
  // The hand's load balances two contacts that both slide: by Whitney's own derivation that is the side
  // "tip to +x" of the parallelogram, whatever the two forces are.
  const content::Scene scene = goalScene();
  for (const double lower : {5.0, 20.0, 60.0})
    for (const double length : {0.004, 0.01}) {
      ContactTick made = twoPoint(scene, length, 0.2, lower, 20, 1);
      const Diagnosis d = diagnosisOf(scene, made.balance().tick);
      ASSERT_TRUE(d.point);
      EXPECT_NEAR(d.point->utilization, 1, 2e-3) << lower << " " << length;
      EXPECT_NEAR(d.push->fz, 0.2 * (lower + 20), 1e-2);
      EXPECT_NEAR(d.push->fx, lower - 20, 1e-2);
      EXPECT_NEAR(d.push->length, length, 1e-9);
    }
}

TEST(JamDiagnosis, OutsideTheDiagramIsJammedAndInsideIsUnexplained) {
  const content::Scene scene = goalScene();
  // ℓ/D = 0.51 > μ: no wedge. Friction takes half of what it may: the push is far outside.
  ContactTick outside = twoPoint(scene, 0.005, 0.2, 30, 20, 0.5);
  const Diagnosis jammed = diagnosisOf(scene, outside.balance().tick);
  EXPECT_EQ(jammed.cause, StopCause::jammed);
  EXPECT_EQ(jammed.point->side, JamSide::momentPlus);
  EXPECT_FALSE(jammed.wedge->possible);
  EXPECT_FALSE(jammed.wedge->conesMeet);
  // The same contacts, but a load that is nearly straight: it cannot explain a stop.
  const Diagnosis inside = diagnosisOf(scene, outside.load({0, 0.1, -10}, {0, 0, 0}).tick);
  EXPECT_EQ(inside.cause, StopCause::unexplained);
  EXPECT_TRUE(inside.point->inside());
  EXPECT_LT(inside.point->utilization, 0.1);
}

TEST(JamDiagnosis, DistinguishesEachSideOfTheDiagram) {
  const content::Scene scene = goalScene();
  ContactTick made = twoPoint(scene, 0.005, 0.2, 30, 20, 0.5);  // side is +y, side × up is +x
  const auto sideOf = [&](const Vector3d& force, const Vector3d& moment) {
    return diagnosisOf(scene, made.load(force, moment).tick).point->side;
  };
  EXPECT_EQ(sideOf({0, 0, -10}, {0.2, 0, 0}), JamSide::momentPlus);
  EXPECT_EQ(sideOf({0, 0, -10}, {-0.2, 0, 0}), JamSide::momentMinus);
  // Beyond 1/μ to the side, with the moment that keeps the other two sides away.
  const double turn = (0.2 + 0.005 / (2 * kR)) * 60 * kR;
  EXPECT_EQ(sideOf({0, 60, -10}, {-turn, 0, 0}), JamSide::lateralPlus);
  EXPECT_EQ(sideOf({0, -60, -10}, {turn, 0, 0}), JamSide::lateralMinus);
  EXPECT_EQ(sideOf({0, 0, -10}, {0, 0.2, 0.2}), JamSide::inside);  // moments of other planes
  EXPECT_EQ(sideOf({0, 0, 10}, {0, 0, 0}), JamSide::noPush);
}

TEST(JamDiagnosis, IsWedgedJustBelowWhitneysDepthAndNotAbove) {
  const content::Scene scene = goalScene();
  const double mu = 0.4;
  for (const double factor : {0.99, 1.01}) {
    ContactTick made = twoPoint(scene, factor * mu * 2 * kR, mu, 25, 25, 0.9);
    const Diagnosis d = diagnosisOf(scene, made.balance().tick);
    EXPECT_EQ(d.wedge->possible, factor < 1);
    EXPECT_EQ(d.wedge->conesMeet, factor < 1);
    EXPECT_EQ(d.cause == StopCause::wedged, factor < 1);
    EXPECT_NEAR(d.wedge->lengthOverD, factor * mu, 1e-6);
    EXPECT_GT(d.wedge->squeeze, 10);
  }
}

TEST(JamDiagnosis, IsTheSameInAnyFrameAndWithBodiesSwapped) {
  const unsigned seed = 815;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  content::Scene scene = goalScene();
  const Diagnosis first = diagnosisOf(scene, twoPoint(scene, 0.003, 0.5, 30, 20, 0.5).balance().tick);
  ASSERT_EQ(first.cause, StopCause::wedged);
  for (int k = 0; k < 20; ++k) {
    const physics::Quaterniond q(unit(random), unit(random), unit(random), unit(random));
    scene.parts[0].X_WP = {q.normalized(), Vector3d(unit(random), unit(random), unit(random))};
    const Diagnosis d =
        diagnosisOf(scene, twoPoint(scene, 0.003, 0.5, 30, 20, 0.5, k % 2 == 1).balance().tick);
    EXPECT_EQ(d.cause, first.cause);
    EXPECT_EQ(d.contact.state, first.contact.state);
    EXPECT_EQ(d.contact.clusters.size(), first.contact.clusters.size());
    EXPECT_NEAR(d.push->fx, first.push->fx, 1e-9);
    EXPECT_NEAR(d.push->fz, first.push->fz, 1e-9);
    EXPECT_NEAR(d.push->moment, first.push->moment, 1e-9);
    EXPECT_NEAR(d.wedge->squeeze, first.wedge->squeeze, 1e-9);
    EXPECT_NEAR(d.wedge->length, first.wedge->length, 1e-12);
    EXPECT_NEAR(d.loadAngle(), first.loadAngle(), 1e-9);
  }
}

/// All numbers of a JSON value, or null where one is not finite.
bool hasOnlyNumbers(const nlohmann::ordered_json& json) {
  if (json.is_number()) return std::isfinite(json.get<double>());
  if (!json.is_structured()) return true;
  return std::all_of(json.begin(), json.end(), hasOnlyNumbers);
}

TEST(JamDiagnosis, OfDegenerateInputsHasNoBadNumbers) {
  content::Scene scene = goalScene();
  scene.goals[0].depth = 0.03;
  for (const double mu : {0.0, 0.4})
    for (const double force : {0.0, 30.0})
      for (const double length : {0.0, 0.005}) {
        Assessment assessment(scene);
        ContactTick made = twoPoint(scene, length, mu, force, force, 0.5);
        assessment.add(made.tick);  // no load at all
        EXPECT_TRUE(hasOnlyNumbers(diagnosisJson(assessment.goals()[0]))) << mu << force << length;
        assessment.add(made.balance().tick);
        EXPECT_TRUE(hasOnlyNumbers(diagnosisJson(assessment.goals()[0]))) << mu << force << length;
        EXPECT_EQ(explanationOf(assessment.goals()[0], scene.goals[0]).find("nan"), std::string::npos);
      }
  ContactTick smooth = twoPoint(scene, 0.005, 0, 30, 20, 0);
  EXPECT_EQ(diagnosisOf(scene, smooth.balance().tick).cause, StopCause::unexplained);
}

TEST(JamDiagnosis, CountsTheWeightThatNoHandCarries) {
  content::Scene scene = goalScene();
  scene.parts[0].X_WP.q.setIdentity();
  scene.hands[0].parameters.carriesWeight = false;
  ContactTick made(scene, {.depth = 0.006});
  made.load({0, 0, -3}, {0, 0, 0});
  EXPECT_NEAR(diagnosisOf(scene, made.tick).axialLoad(), 3 + 0.1 * 9.81, 1e-12);
  scene.hands[0].parameters.carriesWeight = true;
  EXPECT_NEAR(diagnosisOf(scene, made.tick).axialLoad(), 3, 1e-12);
}

/// The result after the step stood still for 0.2 s in a hand.
std::string toldAfter(const content::Scene& scene, physics::StepResult tick, Verdict expected) {
  Assessment assessment(scene);
  for (int k = 0; k <= 20; ++k) {
    tick.time = 0.01 * k;
    assessment.add(tick);
  }
  const GoalResult& goal = assessment.goals()[0];
  EXPECT_EQ(goal.verdict, expected);
  EXPECT_TRUE(goal.standstill);
  const std::string explanation = explanationOf(goal, scene.goals[0]);
  EXPECT_EQ(explanation.find('\n'), std::string::npos);
  return explanation;
}

void expectParts(const std::string& explanation, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    EXPECT_NE(explanation.find(part), std::string::npos) << part << " in\n" << explanation;
}

TEST(JamWording, DistinguishesWedgedFromJammed) {
  const content::Scene scene = goalScene();
  ContactTick wedged = twoPoint(scene, 0.003, 0.5, 30, 20, 0.5);
  expectParts(toldAfter(scene, wedged.balance().tick, Verdict::jammed),
              {"wedged: two-point contact", "4.00 mm deep", "tip edge on the bore wall",
               "shank on the bore edge", "ℓ/D = 0.306 is below μ = 0.5"});
  ContactTick jammed = twoPoint(scene, 0.005, 0.2, 30, 20, 0.5);
  expectParts(toldAfter(scene, jammed.balance().tick, Verdict::jammed),
              {"jammed: two-point contact", "outside the jamming diagram", "μ = 0.2", "the push of "});
}

TEST(JamWording, StatesWhyAPartIsBlocked) {
  content::Scene scene = goalScene();
  ContactTick beside(scene, {.depth = 0, .lateral = 0.0023});
  beside.add({.p_P = {0, kR, 0}, .n_H = Vector3d::UnitZ(), .force = 9});
  expectParts(toldAfter(scene, beside.balance().tick, Verdict::blocked),
              {"blocked: tip edge on the mouth face", "2.30 mm beside", "1.10 mm that the lead-in reaches"});

  ContactTick sticks(scene, {.depth = 0.0005, .lateral = 0.0006});
  sticks.add({.p_P = {0, kR, 0}, .n_H = {0, -1, 1}, .force = 9, .friction_H = {0, 1, 1}, .mu = 0.4});
  expectParts(toldAfter(scene, sticks.balance().tick, Verdict::blocked),
              {"blocked: ", "tip edge on the chamfer", "0.50 mm deep", "tilted 0°",
               "friction holds it there (1.41 N of at most 3.6 N)"});

  std::get<physics::Compound>(scene.parts[1].shape).children[0].shape = physics::Cylinder{0.005002, 0.02};
  ContactTick wide(scene, {.depth = 0.000998});
  for (const double side : {-1.0, 1.0})
    wide.add({.p_P = {0, side * 0.005, 0}, .n_H = {0, -side, 1}, .force = 9});
  expectParts(
      toldAfter(scene, wide.balance().tick, Verdict::blocked),
      {"blocked at the bore edge: the part is 4 µm wider than the bore (Ø10.004 into Ø10.000 mm), and "
       "neither yields",
       "its tip edge rests there, 1.00 mm deep"});
}

TEST(JamWording, DescribesPressFitsByInterferenceNotByTwoPoints) {
  content::Scene scene = goalScene();
  std::get<physics::Compound>(scene.parts[1].shape).children[0].shape = physics::Cylinder{0.005002, 0.02};
  scene.materials = {{"steel", 7850}};
  scene.parts[0].material = scene.parts[1].material = 0;
  scene.pairs = {{.a = 0, .b = 0, .friction = 0.1, .stiffness = 5e8}};
  ContactTick stuck = twoPoint(scene, 0.003, 0.5, 30, 20, 0.5);
  expectParts(toldAfter(scene, stuck.balance().tick, Verdict::jammed),
              {"jammed at the bore wall: the part is 4 µm wider than the bore",
               "is too little to press it on against a stiffness of 500 N/µm"});
  Assessment assessment(scene);
  assessment.add(stuck.tick);
  EXPECT_EQ(assessment.goals()[0].twoPoint.onsets, 0);
  assessment.add(tests::tickOf(scene, {.time = 0.5, .depth = 0.02, .push = 700}));
  EXPECT_EQ(
      explanationOf(assessment.goals()[0], scene.goals[0]),
      "inserted by force: the part is 4 µm wider than the bore (Ø10.004 into Ø10.000 mm); pushed home with "
      "700 N at most; stiffness 500 N/µm");
}

TEST(JamWording, NamesWhatAPartStandsOn) {
  content::Scene scene = goalScene();
  // A counterbore Ø16 × 4, the bore Ø10 to 14 mm, a drill's point; a screw with a head Ø19.
  scene.parts[0].shape =
      physics::BlockWithHoles{{0.05, 0.05, 0.02},
                              {{"h",
                                physics::Pose::at({0.01, -0.02, 0.02}),
                                {{0, 0.008}, {-0.004, 0.008}, {-0.004, 0.005}, {-0.014, 0.005}, {-0.017, 0}},
                                false}}};
  scene.parts[1].shape = physics::SolidOfRevolution{
      {{0, 0}, {0.002, 0.0049}, {0.0126, 0.0049}, {0.0126, 0.0095}, {0.02, 0.0095}, {0.02, 0}}};
  scene.goals[0].depth = 0.0165;
  ContactTick drill(scene, {.depth = 0.0155});
  drill.add({.p_P = {0, 0.0025, 0}, .n_H = {0, -0.6, 0.8}, .force = 4});
  drill.add({.p_P = {0, -0.0025, 0}, .n_H = {0, 0.6, 0.8}, .force = 4});
  expectParts(toldAfter(scene, drill.balance().tick, Verdict::jammed),
              {"stands on the drill point of the hole", "15.50 mm deep", "1.00 mm short"});
  ContactTick head(scene, {.depth = 0.0126});
  head.add({.p_P = {0, 0.009, 0.0126}, .n_H = {0, 0, 1}, .force = 4});
  head.add({.p_P = {0, -0.009, 0.0126}, .n_H = {0, 0, 1}, .force = 4});
  expectParts(toldAfter(scene, head.balance().tick, Verdict::jammed),
              {"the head rests on the mouth face with the tip 12.60 mm deep, 3.90 mm short"});
  ContactTick floor(scene, {.depth = 0.004, .lateral = 0.006});
  floor.add({.p_P = {0, 0.0001, 0}, .n_H = {0, 0, 1}, .force = 4});
  expectParts(toldAfter(scene, floor.balance().tick, Verdict::blocked),
              {"blocked: ", "on the counterbore floor, the tip's middle 6.00 mm beside the hole's axis"});
}

TEST(JamWording, DescribesAStopWithoutForces) {
  content::Scene scene = goalScene();
  ContactTick made(scene, {.depth = 0.0005, .tilt = 0.01});
  made.add({.p_P = {0, kR, 0}, .n_H = {0, -1, 1}, .force = 9e9}).load({0, 0, -7}, {0, 0, 0});
  made.tick.report.converged = false;
  expectParts(toldAfter(scene, made.tick, Verdict::blocked),
              {"blocked: it stands with the tip 0.50 mm deep", "no forces were found"});
  std::get<physics::Compound>(scene.parts[1].shape).children[0].shape = physics::Cylinder{0.005002, 0.02};
  expectParts(toldAfter(scene, made.tick, Verdict::blocked), {"blocked: the part is 4 µm wider than the bore",
                                                              "with the tip 0.50 mm deep and tilted 0.573°"});
}

TEST(JamWording, DescribesTheBottomAndTiltAtTheMouth) {
  content::Scene scene = goalScene();
  ContactTick tilted(scene, {.depth = 0.0011, .tilt = 0.25});
  for (const double side : {-1.0, 1.0})
    tilted.add(
        {.p_P = tilted.shankAt(0, 0.0005) + Vector3d(side * kR, 0, 0), .n_H = {-side, 0, 1}, .force = 9});
  expectParts(toldAfter(scene, tilted.balance().tick, Verdict::jammed), {"14.3°", "more than the 11.6°"});
  std::get<physics::FacetedBlock>(scene.parts[0].shape).holes[0].depth = 0.012;
  ContactTick bottom(scene, {.depth = 0.012});
  bottom.add({.p_P = {0, kR, 0}, .n_H = Vector3d::UnitZ(), .force = 4});
  bottom.add({.p_P = {0, -kR, 0}, .n_H = Vector3d::UnitZ(), .force = 4});
  expectParts(toldAfter(scene, bottom.balance().tick, Verdict::jammed),
              {"jammed: ", "stands on the bottom", "12.00 mm deep", "8.00 mm short"});
}

TEST(JamWording, StatesHowNearAnInsertionCameToWedging) {
  const content::Scene scene = goalScene();
  Assessment assessment(scene);
  EXPECT_EQ(explanationOf(assessment.goals()[0], scene.goals[0]).find("pending"), 0u);
  double time = 0;
  for (const double length : {0.002, 0.0, 0.006}) {
    physics::StepResult tick = twoPoint(scene, length, 0.3, 5, 5, 1).balance().tick;
    if (length == 0) tick = ContactTick(scene, {.depth = 0.005}).tick;
    for (int k = 0; k < 3; ++k) {
      tick.time = time += 0.01;
      assessment.add(tick);
    }
  }
  EXPECT_EQ(assessment.goals()[0].twoPoint.onsets, 2);
  EXPECT_NEAR(assessment.goals()[0].twoPoint.last->wedge.length, 0.006, 1e-6);
  assessment.add(tests::tickOf(scene, {.time = time + 0.1, .depth = 0.02}));
  expectParts(
      explanationOf(assessment.goals()[0], scene.goals[0]),
      {"inserted: two-point contact 2 times, nearest to wedging with the tip 3.00 mm deep and the two points "
       "ℓ = 2.00 mm apart along the bore: ℓ/D = 0.204 is below μ = 0.3",
       "might have wedged"});
}

TEST(GoalWatch, PushCountsFrictionAndTheStopEndsWhenItMovesOn) {
  const content::Scene scene = goalScene();
  Assessment assessment(scene);
  physics::StepResult tick = twoPoint(scene, 0.005, 0.2, 30, 20, 0.5).balance().tick;
  for (int k = 0; k <= 20; ++k) {
    tick.time = 0.01 * k;
    assessment.add(tick);
  }
  EXPECT_NEAR(assessment.goals()[0].push, 0.5 * 0.2 * 50, 1e-2);
  ASSERT_TRUE(assessment.goals()[0].standstill);
  EXPECT_NEAR(assessment.goals()[0].standstill->time, 0.2, 1e-12);
  tick = ContactTick(scene, {.depth = 0.008}).tick;
  tick.time = 0.3;
  assessment.add(tick);
  EXPECT_FALSE(assessment.goals()[0].standstill);
  EXPECT_EQ(assessment.goals()[0].diagnosis().contact.state, ContactState::none);
}

}  // namespace
}  // namespace tenon::runtime::jam_diagnosis_test
