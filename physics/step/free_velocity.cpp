// Stage 2 of a step: the mass matrix and the velocity without contacts, from hands and external forces.
#include <Eigen/Cholesky>

#include "physics/body/gyroscopic.h"
#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Momentum that the body's thrusters give it in the time `dt`, at its pose at the start.
Vector6d thrust(const WorldModel& model, const WorldState& state, BodyId body, const Matrix3d& R, double dt) {
  Vector6d momentum = Vector6d::Zero();
  for (std::size_t n = 0; n < model.thrusters.size(); ++n) {
    const ThrusterDescription& thruster = model.thrusters[n];
    if (thruster.body != body || state.thrusters[n] == 0) continue;
    const Vector3d force =
        state.thrusters[n] * (thruster.inWorldAxes ? thruster.force : Vector3d(R * thruster.force));
    const Vector3d arm = R * (model.bodies[body.value].p_CP + thruster.p_PT);
    momentum.head<3>() += dt * force;
    momentum.tail<3>() += dt * arm.cross(force);
  }
  return momentum;
}

void computeFreeVelocity(const WorldModel& model, const WorldState& state, StepWorkspace& work, int i) {
  FreeMotion& free = work.free;
  const Body& body = model.bodies[i];
  const BodyState& start = state.bodies[i];
  const double dt = work.substep.dt;
  const Matrix3d R = start.X_WC.q.toRotationMatrix();
  const Matrix3d inertia_W = R * body.inertia * R.transpose();
  free.meanSpin[i] = R * meanFreeSpin(body.inertia, R.transpose() * start.omega, dt);

  Matrix6d mass = Matrix6d::Zero();
  mass.topLeftCorner<3, 3>() = body.mass * Matrix3d::Identity();
  mass.bottomRightCorner<3, 3>() = inertia_W;
  Vector6d momentum;
  // Damping acts first: then weight and contact forces of a body at rest are the same with it.
  momentum << body.mass / (1 + dt * state.dynamics.linearDamping) * start.v,
      inertia_W * free.meanSpin[i] / (1 + dt * state.dynamics.angularDamping);
  const BodyId id{i};
  const bool carried = free.groups.any() && free.groups.of(i).carried;
  if (!carried) momentum.head<3>() += dt * body.mass * state.dynamics.gravity;
  if (!model.thrusters.empty()) momentum += thrust(model, state, id, R, dt);
  if (!model.drivers.empty()) momentum.tail<3>() += dt * clickTorque(model, state, work, id);

  for (std::size_t h = 0; h < state.hands.size(); ++h) {
    const HandSlot& hand = state.hands[h];
    if (hand.state.body != id) continue;
    const RigidGroup& group = free.groups.of(i);
    HeldBody held{start.X_WC, Vector6d::Zero(), group.mass, group.center, group.inertia_W};
    held.u << start.v, start.omega;
    free.couplings[h] = coupleHand(model.handParameters[h], held, hand.state.X_CH,
                                   targetOf(hand, work.substep), hand.lastTarget, dt);
    free.couplings[h].addTo(dt, mass, momentum);
  }
  const Eigen::LLT<Matrix6d> factor(mass);
  free.massFactor[i] = factor.matrixL();
  free.velocity[i] = factor.solve(momentum);
}

}  // namespace

Pose targetOf(const HandSlot& hand, const Substep& substep) {
  const Pose &from = hand.lastTarget, &to = hand.state.X_WH;
  if (substep.isLast()) return to;
  return {from.q.slerp(substep.ofRest, to.q), from.p + substep.ofRest * (to.p - from.p)};
}

void computeFreeVelocities(const WorldModel& model, const WorldState& state, StepWorkspace& work) {
  FreeMotion& free = work.free;
  free.groups.build(model, state);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const BodyState& start = state.bodies[i];
    free.start[i] = start.X_WC;
    free.velocity[i] << start.v, start.omega;
    if (model.dynamic[i]) computeFreeVelocity(model, state, work, static_cast<int>(i));
    const Vector6d& u = free.velocity[i];
    free.end[i] = advance(free.start[i], u.head<3>(), u.tail<3>(), work.substep.dt);
    work.islands.velocity[i] = u;
  }
}

}  // namespace tenon::physics
