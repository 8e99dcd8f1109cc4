// A scene that a program steps itself: scripts, commands that take hands over, snapshots.
#include "runtime/simulation/lockstep_simulation.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/runtime/live_scene.h"
#include "tests/support/program_run.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::tests::lockstep_simulation_test {
namespace {

using namespace runtime;
using physics::HandId;
using physics::Pose;
using physics::Vector3d;

std::shared_ptr<const content::Scene> boltScene() {
  return std::make_shared<const content::Scene>(content::loadScene(scenePath("bolt-in-plate")));
}

TEST(LockstepSimulation, WithoutCommandsItsStatesAreThoseOfTheScript) {
  const auto scene = boltScene();
  LockstepSimulation simulation(scene, liveOptions(200), true);
  Simulation reference(*scene, liveOptions(200), std::make_unique<xr::ScriptedHands>(scene->hands));
  for (int k = 0; k < 200; ++k) {
    simulation.step();
    reference.step();
  }
  EXPECT_EQ(simulation.stateHash(), reference.world().stateHash());
  EXPECT_EQ(simulation.world().stepResult().hands[0].body.value, 1);
}

TEST(LockstepSimulation, ACommandTakesItsHandOverAndNoOther) {
  auto scene = std::make_shared<content::Scene>(*liveScene());
  for (content::Hand& hand : scene->hands) {
    content::Waypoint end;
    end.time = 0.1;
    end.X_W = Pose::at({0, 0, 0.5});
    hand.script.push_back(end);
  }
  LockstepSimulation simulation(scene, liveOptions(), true);
  simulation.step();
  const Pose target = Pose::at({1, 0, 0});
  simulation.apply(physics::MoveHand{HandId{0}, target});
  for (int k = 0; k < 100; ++k) simulation.step();
  const auto& hands = simulation.world().stepResult().hands;
  EXPECT_EQ(hands[0].X_WH.p, target.p);
  EXPECT_EQ(hands[1].X_WH.p, Vector3d(0, 0, 0.5));
  EXPECT_EQ(simulation.handTarget(HandId{0}).p, target.p);
}

TEST(LockstepSimulation, AResetReturnsHandsToTheirScripts) {
  const auto scene = boltScene();
  LockstepSimulation fresh(scene, liveOptions(200), true), used(scene, liveOptions(200), true);
  used.apply(physics::MoveHand{HandId{0}, Pose::at({0, 0, 0.3})});
  for (int k = 0; k < 50; ++k) used.step();
  used.apply(physics::Reset{});
  EXPECT_EQ(used.world().stepResult().step, 0);
  for (int k = 0; k < 200; ++k) {
    used.step();
    fresh.step();
  }
  EXPECT_EQ(used.stateHash(), fresh.stateHash());
}

TEST(LockstepSimulation, ASnapshotHasTheGoalsAndWhoMovesTheHands) {
  const auto scene = boltScene();
  LockstepSimulation simulation(scene, liveOptions(200), true);
  const LockstepSimulation::Snapshot start = simulation.snapshot();
  for (int k = 0; k < 750; ++k) simulation.step();
  const std::uint64_t hash = simulation.stateHash();
  EXPECT_EQ(simulation.goals()[0].verdict, Verdict::inserted);
  simulation.apply(physics::Release{HandId{0}});
  simulation.step();
  simulation.restore(start);
  EXPECT_EQ(simulation.goals()[0].verdict, Verdict::pending);
  for (int k = 0; k < 750; ++k) simulation.step();
  EXPECT_EQ(simulation.stateHash(), hash);
}

TEST(LockstepSimulation, AnInvalidCommandMakesNoStep) {
  LockstepSimulation simulation(liveScene(), liveOptions(), false);
  simulation.step();
  const std::uint64_t hash = simulation.stateHash();
  EXPECT_THROW(simulation.apply(physics::MoveHand{HandId{7}, Pose()}), std::invalid_argument);
  simulation.apply(physics::Grab{HandId{0}, physics::BodyId{9}, Pose()});
  EXPECT_THROW(simulation.step(), std::invalid_argument);
  EXPECT_EQ(simulation.stateHash(), hash);
  EXPECT_EQ(simulation.step().step, 2);
}

TEST(LockstepSimulation, ASnapshotOfAnotherSceneIsRefused) {
  LockstepSimulation simulation(liveScene(), liveOptions(), false);
  const LockstepSimulation other(liveScene(), liveOptions(), false);
  EXPECT_THROW(simulation.restore(other.snapshot()), std::invalid_argument);
}

}  // namespace
}  // namespace tenon::tests::lockstep_simulation_test
