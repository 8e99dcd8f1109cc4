// Scripts that are switched on and off in a live session: they play from the scene's start alone.
#include <gtest/gtest.h>

#include <memory>

#include "content/reader/load_scene.h"
#include "runtime/simulation/live_world.h"
#include "tests/runtime/live_scene.h"
#include "tests/support/manual_clock.h"
#include "tests/support/program_run.h"
#include "xr/hands/mouse_hands.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::tests::script_control_test {
namespace {

using namespace runtime;
using physics::Vector3d;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr int kScrew = 1;

struct Live {
  ManualClock clock;
  std::shared_ptr<content::Scene> scene =
      std::make_shared<content::Scene>(xr::withTwoHands(content::loadScene(scenePath("bolt-in-plate"))));
  LiveWorld world;

  explicit Live(bool scripted) : world(scene, {.world = liveOptions(), .scripted = scripted}, clock) {}

  void advance(double seconds) {
    const auto end = clock.now_ns() + static_cast<std::int64_t>(seconds * kSecond);
    for (; world.nextStepTime_ns() < end; world.step())
      if (world.nextStepTime_ns() > clock.now_ns()) clock.advance(world.nextStepTime_ns() - clock.now_ns());
    clock.advance(end - clock.now_ns());
  }
  /// A person puts the screw somewhere else.
  void carryScrewAside() {
    const auto hands = [&](const Vector3d& p, bool closed) {
      const std::vector<xr::HandSample> samples = {handAt(p, closed, closed ? kScrew : -1),
                                                   handAt({0, 0, 0.2})};
      world.mailbox().put(samples, clock.now_ns(), 0);
      advance(0.2);
    };
    const Vector3d from = screw();
    hands(from, true);
    hands(from + Vector3d(-0.04, -0.03, 0.03), true);
    hands(from + Vector3d(-0.04, -0.03, 0.03), false);
  }
  Vector3d screw() const { return world.world().stepResult().bodies[kScrew].X_WC.p; }
  double time() const { return world.world().stepResult().time; }
  SimulationFrame moment() const {
    SimulationFrame moment;
    world.fillFrame(moment);
    return moment;
  }
};

TEST(ScriptControl, InTheMiddleItPlaysFromTheStartAndReachesTheGoal) {
  Live live(false);
  live.carryScrewAside();
  live.advance(1.2);
  live.world.apply(ScriptControl{true});
  EXPECT_EQ(live.time(), 0);
  EXPECT_EQ(live.screw(), Live(false).screw()) << "the parts are where the script expects them";
  live.advance(4.5);
  const SimulationFrame moment = live.moment();
  EXPECT_EQ(moment.goals.at(0).verdict, Verdict::inserted);
  Live fromStart(true);
  fromStart.advance(live.time());
  EXPECT_EQ(live.world.world().stateHash(), fromStart.world.world().stateHash())
      << "as if nothing had been before";
}

TEST(ScriptControl, AfterItsEndItPlaysAgain) {
  Live live(true);
  const double end = *xr::scriptEndTime(live.scene->hands);
  live.advance(end - 0.1);
  EXPECT_FALSE(live.moment().status.scriptEnded);
  live.advance(0.3);
  EXPECT_TRUE(live.moment().status.scriptEnded);
  live.world.apply(ScriptControl{false});
  EXPECT_FALSE(live.moment().status.scriptEnded) << "the mouse has the hands";
  live.advance(0.1);
  live.world.apply(ScriptControl{true});
  EXPECT_FALSE(live.moment().status.scriptEnded);
  EXPECT_EQ(live.time(), 0);
  live.advance(4.5);
  EXPECT_EQ(live.moment().goals.at(0).verdict, Verdict::inserted);
}

TEST(ScriptControl, UndoBringsBackWhatWasThereAndThePersonsHands) {
  Live live(false);
  live.carryScrewAside();
  const Vector3d aside = live.screw();
  live.world.apply(ScriptControl{true});
  live.advance(1.5);
  // The script's grasp first, where it has begun, then the reset.
  while (live.moment().status.undoable > 1) live.world.apply(UndoControl{});
  EXPECT_EQ(live.screw(), aside);
  EXPECT_FALSE(live.moment().status.scripted) << "or the script would join in its middle";
  live.world.apply(RedoControl{});
  EXPECT_FALSE(live.moment().status.scripted);
}

TEST(ScriptControl, AtTheStartNothingIsReset) {
  Live live(false);
  live.world.apply(ScriptControl{true});
  EXPECT_TRUE(live.moment().status.scripted);
  EXPECT_EQ(live.moment().status.undoable, 0);
}

TEST(ScriptControl, ASceneWithoutScriptRefusesIt) {
  ManualClock clock;
  LiveWorld world(liveScene(), {.world = liveOptions()}, clock);
  world.apply(ScriptControl{true});
  SimulationFrame moment;
  world.fillFrame(moment);
  EXPECT_FALSE(moment.status.scripted);
  EXPECT_NE(moment.status.message.find("no script"), std::string::npos) << moment.status.message;
}

}  // namespace
}  // namespace tenon::tests::script_control_test
