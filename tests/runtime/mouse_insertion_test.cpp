// A screw is put into its hole by mouse alone: what a person does at the window, without the window.
#include <gtest/gtest.h>

#include <cmath>

#include "content/reader/load_scene.h"
#include "runtime/report/clearance_readout.h"
#include "runtime/simulation/live_world.h"
#include "tests/runtime/live_scene.h"
#include "tests/support/manual_clock.h"
#include "tests/support/program_run.h"
#include "xr/appearance/fit_view.h"
#include "xr/hands/mouse_hands.h"

namespace tenon::tests::mouse_insertion_test {
namespace {

using namespace runtime;
using physics::Pose;
using physics::Vector3d;

constexpr std::int64_t kFrame_ns = 16'000'000;

/// A person before bolt-in-plate.json, seen from the front: sixty pictures a second, and a mouse.
class Person {
 public:
  Person()
      : world_(scene_, {.world = liveOptions()}, clock_),
        meshes_(*scene_),
        picker_(*scene_, meshes_),
        mouse_(*scene_) {
    const std::vector<Vector3d> corners = {{-0.05, -0.05, -0.02}, {0.05, 0.05, 0.1}};
    view_ = xr::fitView(corners, *xr::viewDirection("front"), 16.0 / 9);
    look();
  }

  /// The next picture, after the mouse has done what it does.
  void frame() {
    const auto under = picker_.pick(xr::rayThrough(view_, state.x, state.y), drawn_.X_WP);
    mouse_.update(view_, state, under);
    state.wheel = 0;
    world_.mailbox().put(mouse_.samples(), clock_.now_ns(), kFrame_ns);
    const std::int64_t end = clock_.now_ns() + kFrame_ns;
    for (; world_.nextStepTime_ns() < end; world_.step())
      clock_.advance(world_.nextStepTime_ns() - clock_.now_ns());
    clock_.advance(end - clock_.now_ns());
    look();
  }
  void frames(int count) {
    for (int k = 0; k < count; ++k) frame();
  }
  void point(const Vector3d& p_W) {
    const Vector3d seen = xr::projected(view_, p_W);
    state.x = seen.x();
    state.y = seen.y();
    frame();
  }
  /// Moves the mouse as far as it takes to shift something at the grip by `by` across the picture.
  void drag(const Vector3d& by, int pictures) {
    for (int k = 0; k < pictures; ++k) {
      const Vector3d grip = mouse_.samples()[0].X_WH.p;
      const Vector3d shift = xr::projected(view_, grip + by / pictures) - xr::projected(view_, grip);
      state.x += shift.x();
      state.y += shift.y();
      frame();
    }
  }
  /// Turns the wheel, finely, until what is at the grip is `by` further away.
  void pushAway(double by) {
    state.fine = true;
    const double start = distance();
    while (by > 0 ? distance() < start + by : distance() > start + by) {
      state.wheel = by > 0 ? 1 : -1;
      frame();
    }
    state.fine = false;
  }

  Vector3d tip() const { return drawn_.X_WP[1] * scene_->parts[1].features[0].origin; }
  const SimulationFrame& moment() const { return *frameBuffer_.after; }
  const content::Scene& scene() const { return *scene_; }
  std::span<const Pose> poses() const { return drawn_.X_WP; }

  xr::MouseState state;

 private:
  double distance() const { return (mouse_.samples()[0].X_WH.p - view_.X_WC.p).norm(); }
  void look() {
    const auto moment = std::make_shared<SimulationFrame>();
    world_.fillFrame(*moment);
    frameBuffer_ = {moment, moment};
    interpolateAt(frameBuffer_, clock_.now_ns(), drawn_);
  }

  ManualClock clock_;
  std::shared_ptr<const content::Scene> scene_ =
      std::make_shared<content::Scene>(xr::withTwoHands(content::loadScene(scenePath("bolt-in-plate"))));
  LiveWorld world_;
  xr::PartMeshes meshes_;
  xr::Picker picker_;
  xr::MouseHands mouse_;
  xr::View view_;
  FrameBuffer frameBuffer_;
  InterpolatedState drawn_;
};

TEST(MouseInsertion, TheScrewGoesIntoItsHoleByMouseAlone) {
  Person person;
  person.point({-0.028, -0.004, 0.02});  // the near side of the shank
  person.state.pull = true;
  person.frames(2);
  ASSERT_EQ(person.moment().record.tick.hands[0].body.value, 1) << "the screw is in hand";

  person.drag({0, 0, 0.05}, 12);
  person.state.turn = true;  // over, by half a turn: half the picture's height
  for (int k = 0; k < 20; ++k) {
    person.state.y += 0.025;
    person.frame();
  }
  person.state.turn = false;
  person.frames(10);
  EXPECT_LT((person.poses()[1].q * Vector3d::UnitZ() - Vector3d::UnitZ()).norm(), 0.05) << "head up";

  // Over the hole, half a millimetre beside it; then down, and a little further than the head lets it.
  person.drag({0.0005 - person.tip().x(), 0, 0}, 25);
  person.frames(10);
  person.pushAway(-person.tip().y());
  person.frames(10);
  person.drag({0.0005 - person.tip().x(), 0, 0}, 5);
  person.frames(10);
  EXPECT_LT(std::abs(person.tip().y()), 5e-4);
  EXPECT_GT(person.tip().z(), 0.002) << "above the plate";
  person.drag({0, 0, -0.0303 - person.tip().z()}, 60);
  person.frames(12);
  person.state.pull = false;
  person.frames(12);

  const GoalResult& goal = person.moment().goals.at(0);
  EXPECT_EQ(goal.verdict, Verdict::inserted);
  EXPECT_NEAR(goal.depth, 0.03, 5e-5);
  EXPECT_FALSE(person.moment().record.tick.hands[0].body.valid());
  EXPECT_LT(goal.maxPush, 20) << "no blow of a hand that jumps";
  EXPECT_EQ(person.moment().status.undoable, 1);
  EXPECT_EQ(person.moment().status.droppedSteps, 0);

  // What the readout says of the seated screw: head on plate, axis in the hole.
  ClearanceReadout readout(person.scene());
  const auto gap = readout.gapBetween(0, 1, person.poses());
  ASSERT_TRUE(gap);
  EXPECT_LT(std::abs(gap->distance), 1e-6);
}

}  // namespace
}  // namespace tenon::tests::mouse_insertion_test
