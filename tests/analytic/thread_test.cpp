// A screw that engages its thread, is screwed in, tightened and unscrewed again.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/world.h"
#include "tests/support/every_solver.h"
#include "tests/support/exact_collider.h"

namespace tenon::physics {
namespace {

constexpr double kWholeTurn = 2 * std::numbers::pi;
constexpr double kPitch = 1.25e-3, kStepRate = 1000;
constexpr double kTightening = 0.5;  // [N m]

/// A screw like a block, 8 mm × 8 mm × 30 mm, whose tip is 1 mm above the mouth of a thread in the origin.
/// The thread goes down, 12 mm; the only contact is its end.
struct Screwing {
  explicit Screwing(SolverName solver = SolverName::automatic, double pitch = kPitch,
                    const Pose& X_WT = Pose::at({0, 0, 1e-3}))
      : world({.dt = 1 / kStepRate, .gravity = Vector3d::Zero(), .solver = solver},
              std::make_unique<tests::ExactCollider>()) {
    BodyDescription description;
    description.shape = Box{Vector3d(4e-3, 4e-3, 15e-3)};
    description.mass = massProperties(description.shape, 7850);
    description.X_WP = X_WT * Pose::at({0, 0, 15e-3});
    screw = world.addBody(description);
    JointDescription thread;
    thread.kind = JointKind::helical;
    thread.j = screw;
    const Quaterniond down(0, 1, 0, 0);
    thread.X_PA = {down, Vector3d::Zero()};
    thread.X_PB = {down, Vector3d(0, 0, -15e-3)};
    thread.pitch = pitch;
    thread.travel.high = 12e-3;
    thread.collides = true;
    thread.entry = ScrewEntry{.captureRadius = 0.3e-3, .captureAngle = 0.05, .tightening = kTightening};
    world.addJoint(thread);
    HandParameters strong;
    strong.maxTorque = 5 * kTightening;
    const Pose X_WH = description.X_WP;
    hand = world.addHand(strong, X_WH);
    world.apply(Grab{hand, screw, X_WH});
    target = X_WH;
  }

  const JointState& thread() const { return world.stepResult().joints[0]; }

  /// Translates the hand by `by` and rotates it about the direction of insertion (clockwise seen from
  /// above), at a steady speed for `seconds`; every step must converge, and the thread be satisfied.
  void go(const Vector3d& by, double angle, double seconds) {
    const int steps = static_cast<int>(std::lround(seconds * kStepRate));
    const Pose start = target;
    for (int k = 1; k <= steps; ++k) {
      const double share = static_cast<double>(k) / steps;
      target.p = start.p + share * by;
      target.q = Quaterniond(Eigen::AngleAxisd(-share * angle, Vector3d::UnitZ())) * start.q;
      world.apply(MoveHand{hand, target});
      const StepResult& tick = world.step();
      ASSERT_TRUE(tick.report.converged) << "step " << tick.step;
      ASSERT_LE(thread().lengthError, 1e-9) << "step " << tick.step;
      ASSERT_LE(thread().angleError, 1e-9) << "step " << tick.step;
    }
  }
  void enter() { go({0, 0, -1.1e-3}, 0, 0.2); }

  World world;
  BodyId screw;
  HandId hand;
  Pose target;
};

class EveryThread : public testing::TestWithParam<SolverName> {};

TEST_P(EveryThread, advancesByItsPitchPerTurn) {
  Screwing s(GetParam());
  ASSERT_NO_FATAL_FAILURE(s.enter());
  ASSERT_EQ(s.thread().phase, JointPhase::holds);
  const double from = s.thread().travel;
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, -4 * kPitch}, 4 * kWholeTurn, 2));
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 0}, 0, 0.5));
  EXPECT_NEAR(s.thread().travel - from, 4 * kPitch, 2e-6);
}
INSTANTIATE_TEST_SUITE_P(solvers, EveryThread,
                         testing::Values(SolverName::automatic, SolverName::fischerNewton,
                                         SolverName::lemkeFixpoint),
                         tests::solverTestName);

TEST(Thread, isLeftHandedWithANegativePitch) {
  Screwing s(SolverName::automatic, -kPitch);
  ASSERT_NO_FATAL_FAILURE(s.enter());
  const double from = s.thread().travel;
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, -2 * kPitch}, -2 * kWholeTurn, 1));
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 0}, 0, 0.5));
  EXPECT_NEAR(s.thread().travel - from, 2 * kPitch, 2e-6);
}

// A frictionless screw that cannot rotate cannot be pushed in: the hand's spring stretches
// instead.
TEST(Thread, isNotPushedInWithoutRotation) {
  Screwing s;
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, -6e-3}, 0, 0.5));
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 0}, 0, 0.5));
  EXPECT_EQ(s.thread().phase, JointPhase::holds);
  // Axial push F turns by F · pitch / 2π against 2 N m/rad, which is worth a travel of less than 1 µm.
  EXPECT_LT(s.thread().travel, 0.1e-3);
  EXPECT_NEAR(s.world.stepResult().hands[0].force.z(), -2000 * (5e-3 - s.thread().travel), 0.1);
}

TEST(Thread, isMissedByAScrewOffTheAxisOrTilted) {
  Screwing beside(SolverName::automatic, kPitch, Pose::at({0.4e-3, 0, 1e-3}));
  beside.go({0, 0, -6e-3}, 0, 0.5);
  EXPECT_EQ(beside.thread().phase, JointPhase::apart);
  Screwing leaning(SolverName::automatic, kPitch,
                   {Quaterniond(Eigen::AngleAxisd(0.06, Vector3d::UnitX())), Vector3d(0, 0, 1e-3)});
  leaning.go({0, 0, -3e-3}, 0, 0.5);
  EXPECT_EQ(leaning.thread().phase, JointPhase::apart);
}

TEST(Thread, centersAScrewOnItsAxis) {
  Screwing s(SolverName::automatic, kPitch,
             {Quaterniond(Eigen::AngleAxisd(0.03, Vector3d::UnitX())), Vector3d(0.2e-3, -0.1e-3, 1e-3)});
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, -1.2e-3}, 0, 0.2));
  ASSERT_EQ(s.thread().phase, JointPhase::holds);
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 0}, 0, 0.8));
  const Pose X_WP = s.world.partPose(s.screw, s.world.stepResult().bodies[0]);
  EXPECT_LT(X_WP.p.head<2>().norm(), 1e-9);
  EXPECT_LT((X_WP.q * Vector3d::UnitZ()).head<2>().norm(), 1e-9);
}

/// To its limit.
void turnHome(Screwing& s) {
  ASSERT_NO_FATAL_FAILURE(s.enter());
  const double rest = 12e-3 - s.thread().travel;
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, -rest}, rest / kPitch * kWholeTurn, 5));
}

/// With twice its tightening torque.
void tighten(Screwing& s) {
  ASSERT_NO_FATAL_FAILURE(turnHome(s));
  EXPECT_EQ(s.thread().phase, JointPhase::holds);
  // 2 N m/rad: half a radian more is 1 N m.
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 0}, 0.5, 0.5));
  ASSERT_EQ(s.thread().phase, JointPhase::tight);
  EXPECT_NEAR(s.thread().travel, 12e-3, 2e-8);
}

TEST(Thread, isTightOnceTurnedHomeWithItsTorque) {
  Screwing s;
  ASSERT_NO_FATAL_FAILURE(tighten(s));
  s.world.apply(Release{s.hand});
  const Pose X = s.world.stepResult().bodies[0].X_WC;
  for (int k = 0; k < 100; ++k) s.world.step();
  EXPECT_LT((s.world.stepResult().bodies[0].X_WC.p - X.p).norm(), 2e-8);
  EXPECT_EQ(s.thread().phase, JointPhase::tight);
}

TEST(Thread, staysLooseBelowItsTorque) {
  Screwing s;
  ASSERT_NO_FATAL_FAILURE(turnHome(s));
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 0}, 0.2, 0.5));  // 0.4 N m
  EXPECT_EQ(s.thread().phase, JointPhase::holds);
}

TEST(Thread, isLoosenedByTheSameTorqueAndDisengagesAtItsMouth) {
  Screwing s;
  ASSERT_NO_FATAL_FAILURE(tighten(s));
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 0}, -0.6, 0.6));
  EXPECT_EQ(s.thread().phase, JointPhase::tight);
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 0}, -0.4, 0.4));
  ASSERT_EQ(s.thread().phase, JointPhase::holds);
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 12.2e-3}, -12.2e-3 / kPitch * kWholeTurn, 5));
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 5e-3}, 0, 0.5));
  EXPECT_EQ(s.thread().phase, JointPhase::apart);
  EXPECT_LT(s.thread().travel, -3e-3);
}

TEST(Thread, continuesTheSameFromASnapshot) {
  Screwing s;
  ASSERT_NO_FATAL_FAILURE(s.enter());
  const auto kept = s.world.snapshot();
  const Pose target = s.target;
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, -2 * kPitch}, 2 * kWholeTurn, 1));
  const std::uint64_t hash = s.world.stateHash();
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, 20e-3}, 0, 0.5));
  s.world.restore(*kept);
  s.target = target;
  ASSERT_NO_FATAL_FAILURE(s.go({0, 0, -2 * kPitch}, 2 * kWholeTurn, 1));
  EXPECT_EQ(s.world.stateHash(), hash);
}

TEST(Thread, restartsWithAReset) {
  Screwing s;
  const Pose target = s.target;
  ASSERT_NO_FATAL_FAILURE(tighten(s));
  const std::uint64_t hash = s.world.stateHash();
  s.world.apply(Reset{});
  s.world.apply(Grab{s.hand, s.screw, target});
  s.target = target;
  ASSERT_NO_FATAL_FAILURE(tighten(s));
  EXPECT_EQ(s.world.stateHash(), hash);
}

TEST(Thread, disengagesAScrewThatIsPlacedElsewhere) {
  Screwing s;
  ASSERT_NO_FATAL_FAILURE(s.enter());
  s.world.apply(SetPose{s.screw, Pose::at({0.1, 0, 0.1})});
  s.world.step();
  EXPECT_EQ(s.thread().phase, JointPhase::apart);
}

TEST(Thread, constrainsNothingBeforeItEngages) {
  const Screwing s;
  EXPECT_TRUE(s.world.analyzeMobility().mechanisms.empty());
}

TEST(Thread, rejectsInvalidValues) {
  World world({}, std::make_unique<tests::ExactCollider>());
  BodyDescription body;
  body.shape = Box{Vector3d(1e-2, 1e-2, 1e-2)};
  body.mass = massProperties(body.shape, 7850);
  JointDescription good;
  good.kind = JointKind::helical;
  good.j = world.addBody(body);
  good.pitch = kPitch;
  good.collides = true;
  good.entry = ScrewEntry{.captureRadius = 1e-3, .captureAngle = 0.1};
  const auto refused = [&](const auto& spoil) {
    JointDescription bad = good;
    spoil(bad);
    EXPECT_THROW(world.addJoint(bad), std::invalid_argument);
  };
  refused([](JointDescription& d) { d.collides = false; });
  refused([](JointDescription& d) { d.kind = JointKind::cylindrical; });
  refused([](JointDescription& d) { d.entry->captureRadius = 0; });
  refused([](JointDescription& d) { d.entry->captureAngle = 1; });
  refused([](JointDescription& d) { d.entry->tightening = 0; });
  refused([](JointDescription& d) { d.travel.low = -1e-3; });
  EXPECT_NO_THROW(world.addJoint(good));
}

}  // namespace
}  // namespace tenon::physics
