// Frames made of the states of a server show what the server has computed.
#include "runtime/service/client/state_frames.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "content/reader/load_scene.h"
#include "runtime/service/messages/state_messages.h"
#include "runtime/service/messages/status.h"
#include "tests/support/program_run.h"

namespace tenon::tests::state_frames_test {
namespace {

using runtime::LockstepSimulation;
using runtime::SimulationFrame;

/// Bolt-in-plate, while its script holds the screw in the hole.
class StateFramesOf : public testing::Test {
 protected:
  void SetUp() override {
    scene_ = std::make_shared<const content::Scene>(content::loadScene(scenePath("bolt-in-plate")));
    physics::WorldOptions options;
    options.dt = 1.0 / 200;
    simulation_ = std::make_unique<LockstepSimulation>(scene_, options, true);
    for (int k = 0; k < 560; ++k) simulation_->step();
    message_ = service::stateMessage(*simulation_);
    message_.mutable_settings()->set_solver("fischer-newton");
    message_.mutable_settings()->set_undoable(2);
    message_.mutable_settings()->mutable_dynamics()->mutable_gravity()->set_z(-3);
    message_.mutable_pace()->set_speed(0.5);
  }

  std::shared_ptr<const content::Scene> scene_;
  std::unique_ptr<LockstepSimulation> simulation_;
  v1::State message_;
};

TEST_F(StateFramesOf, AFrameHasPosesHandsContactsAndGoalsOfItsState) {
  SimulationFrame frame;
  service::StateFrames(scene_).fill(message_, frame);
  const physics::World& world = simulation_->world();
  const physics::StepResult &expected = world.stepResult(), &shown = frame.record.tick;
  ASSERT_EQ(shown.bodies.size(), expected.bodies.size());
  for (std::size_t k = 0; k < expected.bodies.size(); ++k) {
    const physics::Pose X_WP = world.partPose({static_cast<int>(k)}, expected.bodies[k]);
    EXPECT_EQ(frame.X_WP[k].p, X_WP.p);
    EXPECT_LT((shown.bodies[k].X_WC.p - expected.bodies[k].X_WC.p).norm(), 1e-12);
    EXPECT_LT(shown.bodies[k].X_WC.q.angularDistance(expected.bodies[k].X_WC.q), 1e-7);
    EXPECT_EQ(shown.bodies[k].v, expected.bodies[k].v);
  }
  ASSERT_TRUE(expected.hands[0].body.valid());
  EXPECT_EQ(shown.hands[0].body, expected.hands[0].body);
  EXPECT_LT((shown.hands[0].X_CH.p - expected.hands[0].X_CH.p).norm(), 1e-12);
  EXPECT_EQ(shown.hands[0].force, expected.hands[0].force);
  ASSERT_GT(expected.contacts.size(), 0u);
  ASSERT_EQ(shown.contacts.size(), expected.contacts.size());
  EXPECT_EQ(shown.contacts[0].force, expected.contacts[0].force);
  EXPECT_EQ(shown.contacts[0].contact.n, expected.contacts[0].contact.n);
  const runtime::GoalResult goal = simulation_->goals().front();
  EXPECT_EQ(frame.goals[0].verdict, goal.verdict);
  EXPECT_EQ(frame.goals[0].depth, goal.depth);
  EXPECT_EQ(frame.goals[0].maxPush, goal.maxPush);
  EXPECT_EQ(frame.goals[0].atHole(), goal.atHole());
  EXPECT_EQ(frame.status.solver, physics::SolverName::fischerNewton);
  EXPECT_EQ(frame.status.undoable, 2);
  EXPECT_EQ(frame.status.dynamics.gravity.z(), -3);
  EXPECT_EQ(frame.status.dynamics.restitution, std::nullopt);
  EXPECT_EQ(frame.status.speed, 0.5);
}

TEST_F(StateFramesOf, AStateOfAnotherSceneIsRefused) {
  SimulationFrame frame;
  const service::StateFrames frames(scene_);
  const auto refused = [&](const std::function<void(v1::State&)>& change) {
    v1::State state = message_;
    change(state);
    EXPECT_THROW(frames.fill(state, frame), service::StatusError);
  };
  refused([](v1::State& s) { s.mutable_parts()->RemoveLast(); });
  refused([](v1::State& s) { s.mutable_hands()->RemoveLast(); });
  refused([](v1::State& s) { s.mutable_goals()->RemoveLast(); });
  refused([](v1::State& s) { s.mutable_hands(0)->set_part(99); });
  refused([](v1::State& s) { s.mutable_contacts(0)->set_part_a(-1); });
}

}  // namespace
}  // namespace tenon::tests::state_frames_test
