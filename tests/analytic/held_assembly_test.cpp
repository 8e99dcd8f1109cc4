// A hand holds one of several parts that are rigidly joined: it moves them as one body, by closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "physics/world.h"
#include "tests/support/empty_collider.h"

namespace tenon::physics::held_assembly_test {
namespace {

constexpr double kHandle = 0.008, kBlock = 2;  // masses [kg]
constexpr double kMass = kHandle + kBlock, kGravity = 9.81;
constexpr double kInertia = 4e-3;  // of the block about its axes [kg m²]; that of the handle is 1e-6
constexpr double kHandleInertia = 1e-6;

/// A block of 2 kg, 50 mm below a handle of 8 g to which a fixed joint connects it. The hand holds the
/// handle.
struct Assembly {
  World world;
  HandParameters parameters;
  BodyId handle, block;
  HandId hand;

  Assembly(double dt, bool carriesWeight, const Vector3d& gravity = {0, 0, -kGravity})
      : world({.dt = dt, .gravity = gravity}, std::make_unique<tests::EmptyCollider>()) {
    parameters.carriesWeight = carriesWeight;
    handle = add(kHandle, kHandleInertia, {0, 0, 0});
    block = add(kBlock, kInertia, {0, 0, -0.05});
  }
  void start() {
    JointDescription weld;
    weld.i = handle;
    weld.j = block;
    weld.X_PB = Pose::at({0, 0, 0.05});
    world.addJoint(weld);
    hand = world.addHand(parameters, Pose{});
    world.apply(Grab{hand, handle, Pose{}});
  }
  BodyId add(double mass, double inertia, const Vector3d& at, const Vector3d& v = Vector3d::Zero()) {
    BodyDescription body;
    body.shape = Sphere{0.01};
    body.mass = {mass, Vector3d::Zero(), Matrix3d::Identity() * inertia};
    body.X_WP = Pose::at(at);
    body.v = v;
    return world.addBody(body);
  }
  const BodyState& of(BodyId body) const { return world.stepResult().bodies[body.value]; }
};

TEST(HeldAssembly, SagsByItsWeightOverTheStiffnessAndNotAtAllIfItIsCarried) {
  for (const double rate : {90.0, 1000.0})
    for (const bool carries : {true, false}) {
      Assembly assembly(1 / rate, carries);
      assembly.start();
      for (int k = 0; k < static_cast<int>(3 * rate); ++k) assembly.world.step();
      const double sag = carries ? 0 : kMass * kGravity / assembly.parameters.stiffness.z();
      EXPECT_NEAR(assembly.of(assembly.handle).X_WC.p.z(), -sag, 1e-8) << rate << " Hz";
      EXPECT_NEAR(assembly.of(assembly.block).X_WC.p.z(), -sag - 0.05, 1e-8) << rate << " Hz";
    }
}

// The critically damped oscillator of the whole mass, from its start at distance s₀ = m g/K above where it
// comes to rest: s = s₀ (1 + w t) e^{−w t}, w = √(K/m). It never passes its place.
TEST(HeldAssembly, FallsToItsPlaceWithoutOvershoot) {
  constexpr double kDt = 1e-4;
  Assembly assembly(kDt, false);
  assembly.start();
  const double K = assembly.parameters.stiffness.z(), w = std::sqrt(K / kMass), s0 = kMass * kGravity / K;
  for (int k = 1; k <= 10000; ++k) {
    assembly.world.step();
    const double t = k * kDt, s = assembly.of(assembly.handle).X_WC.p.z() + s0;
    // First order in Δt: at most some w Δt of s₀.
    ASSERT_NEAR(s, s0 * (1 + w * t) * std::exp(-w * t), w * kDt * s0) << t;
    ASSERT_GT(s, -1e-6 * s0) << "it wobbles at " << t << " s";
  }
}

// Turned about the vertical by the hand's angular spring, with the inertia of both.
TEST(HeldAssembly, TurnsWithTheInertiaOfTheWhole) {
  constexpr double kDt = 1e-4, kAngle = 0.2;
  Assembly assembly(kDt, true);
  assembly.start();
  const double w = std::sqrt(assembly.parameters.angularStiffness.z() / (kInertia + kHandleInertia));
  const Pose target{exponential(Vector3d(0, 0, kAngle)), Vector3d::Zero()};
  // One step in which the target arrives: it moves by kAngle/Δt, and D pulls with it.
  assembly.world.apply(MoveHand{assembly.hand, target});
  assembly.world.step();
  const double jump = logarithm(assembly.of(assembly.handle).X_WC.q).z();
  const double speed = assembly.of(assembly.handle).omega.z();
  const double s0 = kAngle - jump, v0 = -speed;  // s = (s₀ + (v₀ + w s₀) t) e^{−w t}
  for (int k = 1; k <= 5000; ++k) {
    assembly.world.step();
    const double t = k * kDt, s = kAngle - logarithm(assembly.of(assembly.handle).X_WC.q).z();
    ASSERT_NEAR(s, (s0 + (v0 + w * s0) * t) * std::exp(-w * t), 3 * w * kDt * kAngle) << t;
  }
  EXPECT_NEAR(logarithm(assembly.of(assembly.block).X_WC.q).z(), kAngle, 1e-4);  // e^−wt = 1e-5
}

// Bodies that a hinge connects move against each other: the hand carries and damps the held one alone.
TEST(HeldAssembly, AHingeIsNotRigid) {
  Assembly assembly(1e-3, true);
  JointDescription hinge;
  hinge.kind = JointKind::hinge;
  hinge.i = assembly.handle;
  hinge.j = assembly.block;
  hinge.X_PB = Pose::at({0, 0, 0.05});
  assembly.world.addJoint(hinge);
  assembly.hand = assembly.world.addHand(assembly.parameters, Pose{});
  assembly.world.apply(Grab{assembly.hand, assembly.handle, Pose{}});
  for (int k = 0; k < 12000; ++k) assembly.world.step();
  const double sag = kBlock * kGravity / assembly.parameters.stiffness.z();
  EXPECT_NEAR(assembly.of(assembly.handle).X_WC.p.z(), -sag, 1e-5);
}

}  // namespace
}  // namespace tenon::physics::held_assembly_test
