// See many_islands.h.
#include "tests/support/many_islands.h"

#include <cmath>

#include "tests/support/exact_collider.h"

namespace tenon::tests {

using namespace physics;

namespace {

constexpr MaterialId kMaterial{0}, kRubber{1};

BodyDescription part(const Shape& shape, const Vector3d& p) {
  BodyDescription body;
  body.shape = shape;
  body.material = kMaterial;
  body.mass = massProperties(shape, 2700);
  body.X_WP = Pose::at(p);
  return body;
}

/// A joint of body j with the world, or with i, at the origin of j moved by `p`, along the world's `axis`;
/// all bodies stand upright.
JointDescription joint(const World& world, JointKind kind, BodyId i, BodyId j, const Vector3d& p,
                       const Vector3d& axis) {
  JointDescription d;
  d.kind = kind;
  d.i = i;
  d.j = j;
  d.X_PB = {physics::shortestRotation(Vector3d::UnitZ(), axis), p};
  const Pose X_WB = world.body(j).X_WP * d.X_PB;
  d.X_PA = i.valid() ? world.body(i).X_WP.inverse() * X_WB : X_WB;
  return d;
}

/// Two boxes that hang on each other and swing to the floor, a door on two hinges up to its stop, and a nut
/// that runs down its thread.
void addMechanisms(World& world) {
  const Shape box = Box{Vector3d(0.04, 0.01, 0.01)};
  const BodyId first = world.addBody(part(box, {0.05, 0.6, 0.1})),
               second = world.addBody(part(box, {0.15, 0.6, 0.1}));
  world.addJoint(joint(world, JointKind::hinge, {}, first, {-0.05, 0, 0}, Vector3d::UnitY()));
  world.addJoint(joint(world, JointKind::ball, first, second, {-0.05, 0, 0}, Vector3d::UnitZ()));
  BodyDescription door = part(Box{Vector3d(0.04, 0.005, 0.08)}, {0.5, 0.6, 0.2});
  door.v = {0, 0.4, 0};
  door.omega = {0, 0, 10};
  const BodyId leaf = world.addBody(door);
  for (const double z : {-0.05, 0.05}) {
    JointDescription hinge = joint(world, JointKind::hinge, {}, leaf, {-0.04, 0, z}, Vector3d::UnitZ());
    hinge.angle = {-0.4, 0.4};
    world.addJoint(hinge);
  }
  const BodyId nut = world.addBody(part(box, {0.8, 0.6, 0.2}));
  JointDescription thread = joint(world, JointKind::helical, {}, nut, Vector3d::Zero(), Vector3d::UnitZ());
  thread.pitch = 0.2;
  thread.travel = {-0.02, 0.01};
  world.addJoint(thread);
}

/// Balls that bounce off the floor.
void addBouncers(World& world) {
  for (int k = 0; k < 2; ++k) {
    BodyDescription ball = part(Sphere{0.02}, Vector3d(0.2 * k, 0.9, 0.04 + 0.01 * k));
    ball.material = kRubber;
    ball.omega = {5, 0, 0};
    world.addBody(ball);
  }
}

}  // namespace

ManyIslands::ManyIslands(const WorldOptions& options, double friction)
    : world(options, std::make_unique<ExactCollider>()) {
  world.setSurfaces(kMaterial, kMaterial, {.friction = friction});
  world.setSurfaces(kMaterial, kRubber, {.friction = friction, .restitution = 0.7});
  BodyDescription floor;
  floor.name = "floor";
  floor.shape = HalfSpace{};
  floor.material = kMaterial;
  floor.motion = MotionType::fixed;
  world.addBody(floor);
  for (int k = 0; k < 7; ++k) {
    BodyDescription box = part(Box{Vector3d(0.02, 0.03, 0.01 + 0.002 * k)}, Vector3d(0.2 * k, 0, 0.045));
    box.omega = Vector3d(3 + k, -2, 1.5 * k);
    world.addBody(box);
  }
  for (int k = 0; k < 3; ++k) {
    BodyDescription ball = part(Sphere{0.02}, Vector3d(0.2 * k, 0.3, 0.02 + 0.01 * k));
    ball.v = Vector3d(0.3, 0.02 * k, 0);
    world.addBody(ball);
    ball.X_WP.p.x() += 0.06;
    ball.v = -ball.v;
    world.addBody(ball);
  }
  addMechanisms(world);
  addBouncers(world);
  held = world.addBody(part(Box{Vector3d(0.03, 0.03, 0.03)}, Vector3d(0, -0.3, 0.05)));
  hand = world.addHand(HandParameters{}, Pose::at({0, -0.3, 0.05}));
  world.apply(Grab{hand, held, Pose::at({0, -0.3, 0.05})});
}

const StepResult& ManyIslands::step() {
  const double t = world.options().dt * static_cast<double>(world.stepResult().step + 1);
  world.apply(MoveHand{hand,
                       {exponential(Vector3d(0.3 * std::sin(9 * t), 0.2 * t, 0)),
                        Vector3d(0.1 * t, -0.3, 0.05 - 0.04 * std::sin(7 * t))}});
  return world.step();
}

std::vector<double> numbersOf(const StepResult& result) {
  std::vector<double> all{static_cast<double>(result.step), result.time};
  const auto add = [&all](const auto& matrix) {
    for (Eigen::Index k = 0; k < matrix.size(); ++k) all.push_back(matrix.data()[k]);
  };
  const auto addPose = [&add](const Pose& X) {
    add(X.q.coeffs());
    add(X.p);
  };
  for (const BodyState& body : result.bodies) {
    addPose(body.X_WC);
    add(body.v);
    add(body.omega);
  }
  for (const HandState& hand : result.hands) {
    addPose(hand.X_WH);
    addPose(hand.X_CH);
    add(hand.force);
    add(hand.torque);
    all.insert(all.end(), {static_cast<double>(hand.body.value), hand.lost ? 1.0 : 0.0});
  }
  for (const ContactForce& contact : result.contacts) {
    add(contact.contact.p);
    add(contact.contact.n);
    all.insert(all.end(),
               {static_cast<double>(contact.contact.i.value), static_cast<double>(contact.contact.j.value),
                contact.contact.separation, static_cast<double>(contact.contact.feature), contact.force});
    add(contact.friction);
    add(contact.impulse);
  }
  for (const JointState& joint : result.joints) {
    all.insert(all.end(), {joint.angle, joint.travel, joint.lengthError, joint.angleError});
    add(joint.force);
    add(joint.torque);
  }
  const StepReport& report = result.report;
  all.insert(all.end(), {report.converged ? 1.0 : 0.0, static_cast<double>(report.islands),
                         static_cast<double>(report.contacts), static_cast<double>(report.linearizations),
                         static_cast<double>(report.iterations), report.residual, report.penetration});
  return all;
}

}  // namespace tenon::tests
