// Scripts hand a screw from one hand to the other, which puts it into its hole.
#include <gtest/gtest.h>

#include <numbers>

#include "content/reader/load_scene.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/simulation/simulation.h"
#include "tests/support/program_run.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::tests::hand_over_test {
namespace {

using namespace runtime;
using content::Waypoint;
using content::WaypointFrame;
using physics::Pose;
using physics::Vector3d;

constexpr int kScrew = 1;

Pose turned(const Vector3d& p, double angle) {
  Pose X = Pose::at(p);
  X.q = physics::exponential({0, angle, 0});
  return X;
}

Waypoint handAt(double time, const Vector3d& p, int grab = -1) {
  Waypoint waypoint;
  waypoint.time = time;
  waypoint.X_W = Pose::at(p);
  waypoint.grab = grab;
  return waypoint;
}
Waypoint partAt(double time, const Pose& X_WP) {
  Waypoint waypoint;
  waypoint.time = time;
  waypoint.X_W = X_WP;
  waypoint.frame = WaypointFrame::part;
  return waypoint;
}
Waypoint letGo(double time) {
  Waypoint waypoint;
  waypoint.time = time;
  waypoint.release = true;
  return waypoint;
}

/// Right lifts the screw and lays it across; left takes it too, at 1.4 s; right releases it at 1.7 s; left
/// inserts it.
content::Scene handOver() {
  content::Scene scene = content::loadScene(scenePath("bolt-in-plate"));
  scene.goals[0].timeLimit = 10;
  const Pose across = turned({0, 0, 0.080}, std::numbers::pi / 2);
  content::Hand& right = scene.hands[0];
  right.script = {handAt(0.4, {-0.028, 0, 0.004}, kScrew),
                  partAt(0.8, turned({-0.028, 0, 0.050}, std::numbers::pi)), partAt(1.2, across), letGo(1.7),
                  handAt(2.0, {-0.1, 0, 0.1})};
  content::Hand left;
  left.name = "left";
  left.X_WH = Pose::at({0.1, 0, 0.1});
  left.script = {handAt(1.4, {0.004, 0, 0.080}, kScrew), handAt(1.8, {0.004, 0, 0.080}),
                 partAt(2.3, turned({0.001, 0, 0.033}, 0.03)), partAt(4.2, turned({0, 0, -0.0002}, 0)),
                 letGo(4.4)};
  scene.hands.push_back(left);
  return scene;
}

TEST(HandOver, ScriptedHandsPassTheScrewOnAndInsertIt) {
  const content::Scene scene = handOver();
  Simulation simulation(scene, {}, std::make_unique<xr::ScriptedHands>(scene.hands));
  GoalWatch watch(scene, 0);
  const auto screw = [&] {
    return simulation.world().partPose({kScrew}, simulation.world().stepResult().bodies[kScrew]);
  };
  int both = 0, none = 0;
  Vector3d before = Vector3d::Zero();
  double furthest = 0;
  for (int step = 1; step <= 4600; ++step) {
    const physics::StepResult& tick = simulation.step();
    watch.add(tick);
    const bool right = tick.hands[0].body.valid(), left = tick.hands[1].body.valid();
    both += right && left ? 1 : 0;
    none += step > 400 && step < 4400 && !right && !left ? 1 : 0;
    if (step == 1650) before = screw().p;
    if (step > 1650 && step < 1800) furthest = std::max(furthest, (screw().p - before).norm());
  }
  EXPECT_NEAR(both, 300, 2);
  EXPECT_EQ(none, 0) << "it is never in the air";
  EXPECT_LT(furthest, 1e-5) << "it does not jump from hand to hand";
  EXPECT_EQ(watch.result().verdict, Verdict::inserted) << toText(watch.result().verdict);
}

}  // namespace
}  // namespace tenon::tests::hand_over_test
