// The gyroscopic term: what a free spinning body must keep, and how fast the error falls.
#include "physics/body/gyroscopic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "physics/world.h"
#include "tests/support/empty_collider.h"

namespace tenon::physics {
namespace {

const Matrix3d kInertia = Vector3d(2e-4, 3e-4, 4.5e-4).asDiagonal();  // [kg m²]

struct Conserved {
  Vector3d momentum;  // [N m s], world
  double energy;      // [J]
};

Conserved conserved(const BodyState& state) {
  const Matrix3d R = state.X_WC.q.toRotationMatrix();
  const Vector3d momentum = R * kInertia * R.transpose() * state.omega;
  return {momentum, 0.5 * momentum.dot(state.omega)};
}

World spinning(double dt, const Vector3d& omega, const Matrix3d& inertia = kInertia) {
  World world({.dt = dt, .gravity = Vector3d::Zero()}, std::make_unique<tests::EmptyCollider>());
  BodyDescription body;
  body.shape = Box{Vector3d::Constant(0.01)};
  body.mass = {0.5, Vector3d::Zero(), inertia};
  body.omega = omega;
  world.addBody(body);
  return world;
}

TEST(Gyroscopic, tumblingBodyKeepsAngularMomentumAndEnergyForAnyTimeStep) {
  // The second spin is about the intermediate axis, where a body tumbles: the hardest case.
  for (const Vector3d& omega : {Vector3d(3, 20, -5), Vector3d(0.01, 12, 0.01), Vector3d(1, 5, 30)})
    for (const double dt : {1e-3, 4e-3, 1.0 / 60}) {
      World world = spinning(dt, omega);
      const Conserved start = conserved(world.stepResult().bodies[0]);
      for (int step = 0; step < static_cast<int>(10 / dt); ++step) {
        const Conserved now = conserved(world.step().bodies[0]);
        ASSERT_LT((now.momentum - start.momentum).norm(), 1e-10 * start.momentum.norm())
            << dt << ", " << step;
        ASSERT_NEAR(now.energy / start.energy, 1, 1e-10) << "dt " << dt << ", step " << step;
      }
    }
}

TEST(Gyroscopic, orientationIsRightToSecondOrder) {
  // Against the same body at a thirtieth of the time step.
  const auto axisAfterASecond = [](double dt) {
    World world = spinning(dt, Vector3d(4, 9, -7));
    for (int step = 0; step < static_cast<int>(std::lround(1 / dt)); ++step) world.step();
    return Vector3d(world.stepResult().bodies[0].X_WC.q * Vector3d::UnitX());
  };
  const Vector3d exact = axisAfterASecond(1.0 / 30000);
  const double order =
      std::log2((axisAfterASecond(2e-3) - exact).norm() / (axisAfterASecond(1e-3) - exact).norm());
  EXPECT_NEAR(order, 2, 0.1);
}

TEST(Gyroscopic, symmetricTopPrecessesAtTheClosedFormRate) {
  // Free symmetric top: its axis goes round L at |L| / I_transverse (Landau, Lifshitz, Mechanics, §33).
  const Matrix3d inertia = Vector3d(3e-4, 3e-4, 5e-4).asDiagonal();
  const Vector3d omega(2, 0, 10);
  World world = spinning(1e-4, omega, inertia);
  const Vector3d L = inertia * omega;
  const double rate = L.norm() / 3e-4;
  const double time = 1.0;
  const Vector3d expected = exponential(rate * time * L.normalized()) * Vector3d::UnitZ();
  for (int step = 0; step < 10000; ++step) world.step();
  const Vector3d axis = world.stepResult().bodies[0].X_WC.q * Vector3d::UnitZ();
  EXPECT_LT((axis - expected).norm(), 1e-5);
}

}  // namespace
}  // namespace tenon::physics
