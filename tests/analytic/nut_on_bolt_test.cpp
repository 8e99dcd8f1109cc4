// A nut on a bolt by the contacts of their threads, against closed forms of screws.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"

namespace tenon::physics::nut_on_bolt_test {
namespace {

constexpr double kTurn = 2 * std::numbers::pi, kWeight = 9.81, kBetaTangent = 0.57735026918962576;

/// A fixed vertical bolt M8 × 1.25 and a nut that rests on its flanks, coaxial.
struct NutOnBolt {
  NutOnBolt(double mu, int starts, double nutMass, bool isLeftHanded = false)
      : mass(nutMass),
        world({.dt = 1e-3, .gravity = {0, 0, -kWeight}, .allowSleep = false}, makeBulletCollider()) {
    bolt = basicThread(8e-3, 1.25e-3, false, -10e-3, 10e-3);
    for (double* diameter : {&bolt.majorDiameter, &bolt.pitchDiameter, &bolt.minorDiameter})
      *diameter -= 28e-6;
    bolt.ends = {ThreadEnd{3e-3, 1e-3}, ThreadEnd{3e-3, 1e-3}};
    nut = basicThread(8e-3, 1.25e-3, true, -3.75e-3, 3.75e-3);
    nut.pitchDiameter += 50e-6;
    nut.minorDiameter += 100e-6;
    for (ThreadEnd& end : nut.ends) end = {4.1e-3, (4.1e-3 - nut.minorDiameter / 2) * kBetaTangent};
    for (Thread* t : {&bolt, &nut}) t->starts = starts, t->isLeftHanded = isLeftHanded;
    const MaterialId steel{0};
    world.setSurfaces(steel, steel, {.friction = mu});
    BodyDescription fixed;
    fixed.shape = threadedSolid(bolt);
    fixed.motion = MotionType::fixed;
    fixed.material = steel;
    world.addBody(fixed);
    const double wall = nut.majorDiameter / 2, r = 6.5e-3, z = 3.75e-3;
    BodyDescription body;
    body.material = steel;
    body.shape = Compound{{{threadedSolid(nut), {}},
                           {SolidOfRevolution{{{-z, wall}, {-z, r}, {z, r}, {z, wall}, {-z, wall}}}, {}}}};
    inertia = 3e-5 * mass;
    body.mass = {mass, Vector3d::Zero(), Vector3d(2.4e-5 * mass, 2.4e-5 * mass, inertia).asDiagonal()};
    const double play = kBetaTangent * (nut.pitchDiameter - bolt.pitchDiameter) / 2;
    body.X_WP = Pose::at({0, 0, bolt.pitch / 2 - play});
    id = world.addBody(body);
  }

  void run(int steps) {
    for (int k = 0; k < steps; ++k) {
      const StepReport& report = world.step().report;
      ASSERT_TRUE(report.converged) << "step " << world.stepResult().step;
      ASSERT_LE(report.penetration, 1e-8) << "step " << world.stepResult().step;
    }
  }
  const BodyState& state() const { return world.stepResult().bodies[static_cast<std::size_t>(id.value)]; }
  double h() const { return bolt.lead() / kTurn; }

  double mass, inertia = 0;
  Thread bolt, nut;
  World world;
  BodyId id;
};

// m a = m g − I a / h², with the lead h per radian: a = g / (1 + I/(m h²)).
TEST(NutOnBolt, FallsWithoutFrictionByItsClosedForm) {
  for (const int starts : {1, 2, 3}) {
    for (const bool isLeftHanded : {false, true}) {
      NutOnBolt nut(0, starts, 5e-3, isLeftHanded);
      constexpr int kSteps = 150;
      ASSERT_NO_FATAL_FAILURE(nut.run(kSteps));
      const double h = nut.h(), a = kWeight / (1 + nut.inertia / (nut.mass * h * h)), v = a * kSteps * 1e-3;
      EXPECT_NEAR(-nut.state().v.z(), v, 0.01 * v) << starts << " starts";
      EXPECT_NEAR(nut.state().omega.z(), nut.state().v.z() / h, 0.01 * v / std::abs(h))
          << starts << " starts";
      EXPECT_LE(nut.state().X_WC.p.head<2>().norm(), 1e-6);
    }
  }
}

// Weight and friction of a point at radius r on a flank with the unit normal n ∝ (tan β, −tan α, 1), tan α =
// h/r, along the helix: it slides where tan α > µ √(1 + tan² β cos² α). The flanks bear at the inner and the
// outer border of their common strip, and a nut that slides evenly on both has the limit of their mean
// radius.
TEST(NutOnBolt, LocksItselfFromTheFrictionOfTheClosedForm) {
  for (const int starts : {1, 2}) {
    const NutOnBolt numbers(0, starts, 5);
    const double r = (numbers.bolt.majorDiameter + numbers.nut.minorDiameter) / 4, slope = numbers.h() / r;
    const double limit = slope / std::sqrt(1 + kBetaTangent * kBetaTangent / (1 + slope * slope));
    NutOnBolt sliding(0.98 * limit, starts, 5), locked(1.02 * limit, starts, 5);
    ASSERT_NO_FATAL_FAILURE(sliding.run(150));
    ASSERT_NO_FATAL_FAILURE(locked.run(150));
    EXPECT_LT(sliding.state().v.z(), -1e-6) << starts << " starts";
    EXPECT_GT(locked.state().v.z(), -1e-9) << starts << " starts";
  }
}

TEST(NutOnBolt, AHandTurnsItDownByOnePitchATurn) {
  NutOnBolt nut(0.12, 1, 5e-3);
  HandParameters parameters;
  parameters.stiffness = Vector3d::Constant(1e-3);  // it does not carry
  parameters.angularStiffness = Vector3d::Constant(0.2);
  parameters.maxTorque = 10;
  parameters.carriesWeight = false;
  Pose target = Pose::at(nut.state().X_WC.p);
  const HandId hand = nut.world.addHand(parameters, target);
  ASSERT_NO_FATAL_FAILURE(nut.run(5));
  nut.world.apply(Grab{hand, nut.id, target});
  const double start = nut.state().X_WC.p.z();
  double angle = 0;
  const Vector3d x0 = nut.state().X_WC.q * Vector3d::UnitX();
  constexpr int kSteps = 500;
  for (int k = 0; k < kSteps; ++k) {
    target.q = Quaterniond(Eigen::AngleAxisd(-kTurn * (k + 1) / kSteps, Vector3d::UnitZ()));
    target.p.z() = start - nut.bolt.pitch * (k + 1) / kSteps;
    nut.world.apply(MoveHand{hand, target});
    ASSERT_NO_FATAL_FAILURE(nut.run(1));
  }
  const Vector3d x = nut.state().X_WC.q * Vector3d::UnitX();
  angle = std::atan2(x0.cross(x).z(), x0.dot(x));  // what is left to the whole turn
  EXPECT_NEAR(nut.state().X_WC.p.z() - start, nut.h() * (angle - kTurn), 2e-9);
}

}  // namespace
}  // namespace tenon::physics::nut_on_bolt_test
