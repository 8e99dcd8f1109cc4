// Goals that ask for a tight thread.
#include <gtest/gtest.h>

#include "runtime/assess/assessment.h"
#include "runtime/report/diagnosis_text.h"
#include "tests/runtime/goal_scene.h"

namespace tenon::runtime {
namespace {

using physics::JointPhase;
using tests::goalScene;
using tests::Standing;
using tests::tickOf;

/// The goal of goalScene(), with a thread that shall be tight.
struct Tightening {
  content::Scene scene = withThread();
  Assessment assessment{scene};

  static content::Scene withThread() {
    content::Scene scene = goalScene();
    content::Joint screwJoint;
    screwJoint.kind = physics::JointKind::helical;
    screwJoint.part = scene.goals[0].part;
    screwJoint.to = scene.goals[0].into;
    screwJoint.pitch = 1e-3;
    screwJoint.screwEntry = physics::ScrewEntry{.captureRadius = 1e-3, .captureAngle = 0.1, .tightening = 5};
    scene.joints.push_back(screwJoint);
    scene.goals[0].screwJoint = 0;
    return scene;
  }
  void add(const Standing& standing, JointPhase phase) {
    physics::StepResult tick = tickOf(scene, standing);
    tick.joints.assign(1, {});
    tick.joints[0].phase = phase;
    assessment.add(tick);
  }
  const GoalResult& goal() const { return assessment.goals()[0]; }
  std::string explanation() const { return explanationOf(goal(), scene.goals[0]); }
};

TEST(ThreadGoal, isNotReachedAtDepthAlone) {
  Tightening t;
  t.add({.time = 0.1, .depth = 0.02}, JointPhase::holds);
  EXPECT_EQ(t.goal().verdict, Verdict::pending);
  EXPECT_FALSE(t.assessment.allInserted());
  EXPECT_NE(t.explanation().find("not tightened"), std::string::npos) << t.explanation();
  t.add({.time = 0.2, .depth = 0.02, .held = false}, JointPhase::holds);
  EXPECT_EQ(t.goal().verdict, Verdict::released);
  EXPECT_NE(t.explanation().find("not tightened"), std::string::npos) << t.explanation();
}

TEST(ThreadGoal, isTightAtDepthWhileItsThreadIs) {
  Tightening t;
  t.add({.time = 0.1, .depth = 0.01}, JointPhase::tight);
  EXPECT_EQ(t.goal().verdict, Verdict::pending) << "tight above the depth";
  t.add({.time = 0.2, .depth = 0.02}, JointPhase::tight);
  EXPECT_EQ(t.goal().verdict, Verdict::tightened);
  EXPECT_EQ(toText(t.goal().verdict), "tight");
  EXPECT_EQ(t.goal().time, 0.2);
  EXPECT_TRUE(t.assessment.allInserted());
  EXPECT_NE(t.explanation().find("tight"), std::string::npos);
  t.add({.time = 0.3, .depth = 0.02}, JointPhase::holds);
  EXPECT_EQ(t.goal().verdict, Verdict::pending) << "loosened again";
}

TEST(ThreadGoal, standsStillAtItsDepthWithoutBeingJammed) {
  Tightening t;
  for (int k = 1; k <= 30; ++k) t.add({.time = 0.01 * k, .depth = 0.02, .push = 50}, JointPhase::holds);
  EXPECT_EQ(t.goal().verdict, Verdict::pending);
}

}  // namespace
}  // namespace tenon::runtime
