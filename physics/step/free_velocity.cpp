// SceneView 2 of a step: hands and external forces, and the velocity they would give without contacts.
#include <Eigen/Cholesky>

#include "physics/body/gyroscopic.h"
#include "physics/step/step_state.h"

namespace tenon::physics {

namespace {

/// True where a hand that carries the part's weight holds it.
bool isCarried(const StepState& s, BodyId body) {
  for (std::size_t h = 0; h < s.hands.size(); ++h)
    if (s.hands[h].state.body == body && s.handParameters[h].carriesWeight) return true;
  return false;
}

void computeFreeVelocity(StepState& s, int i) {
  const Body& body = s.bodies[i];
  const BodyState& state = s.states[i];
  const double dt = s.options.dt;
  const Matrix3d R = state.X_WC.q.toRotationMatrix();
  const Matrix3d inertia_W = R * body.inertia * R.transpose();
  s.meanFreeSpin[i] = R * meanFreeSpin(body.inertia, R.transpose() * state.omega, dt);

  Matrix6d mass = Matrix6d::Zero();
  mass.topLeftCorner<3, 3>() = body.mass * Matrix3d::Identity();
  mass.bottomRightCorner<3, 3>() = inertia_W;
  Vector6d momentum;
  momentum << body.mass * state.v, inertia_W * s.meanFreeSpin[i];
  const BodyId id{i};
  if (!isCarried(s, id)) momentum.head<3>() += dt * body.mass * s.options.gravity;

  for (std::size_t h = 0; h < s.hands.size(); ++h) {
    const HandSlot& hand = s.hands[h];
    if (hand.state.body != id) continue;
    HeldBody held{state.X_WC, Vector6d::Zero(), body.mass, inertia_W};
    held.u << state.v, state.omega;
    s.couplings[h] =
        coupleHand(s.handParameters[h], held, hand.state.X_CH, hand.state.X_WH, hand.lastTarget, dt);
    s.couplings[h].addTo(dt, mass, momentum);
  }
  const Eigen::LLT<Matrix6d> factor(mass);
  s.massFactor[i] = factor.matrixL();
  s.freeVelocity[i] = factor.solve(momentum);
}

}  // namespace

void computeFreeVelocities(StepState& s) {
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const BodyState& state = s.states[i];
    s.start[i] = state.X_WC;
    s.freeVelocity[i] << state.v, state.omega;
    if (s.dynamic[i]) computeFreeVelocity(s, static_cast<int>(i));
    s.velocity[i] = s.freeVelocity[i];
    s.end[i] = advance(s.start[i], s.velocity[i].head<3>(), s.velocity[i].tail<3>(), s.options.dt);
  }
}

}  // namespace tenon::physics
