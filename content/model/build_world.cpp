// See build_world.h.
#include "content/model/build_world.h"

#include <algorithm>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/joint/thread_flanks.h"

namespace tenon::content {
namespace {

physics::BodyDescription describe(const Part& part) {
  return {.name = part.name,
          .shape = part.shape,
          .mass = part.mass,
          .motion = part.motion,
          .X_WP = part.X_WP,
          .v = part.v,
          .omega = part.omega,
          .material = {part.material}};
}

physics::JointDescription describe(const Scene& scene, const Joint& joint) {
  return {.name = joint.name,
          .kind = joint.kind,
          .i = {joint.to},
          .j = {joint.part},
          .X_PA = joint.X_PA,
          .X_PB = joint.X_PB,
          .pitch = joint.pitch,
          .friction = threadFrictionOf(scene, joint),
          .pitchDiameter = physics::isoPitchDiameter(joint.diameter, joint.pitch),
          .angle = joint.angle,
          .travel = joint.travel,
          .collides = joint.collides,
          .entry = joint.screwEntry};
}

/// True if a joint disables collision between the two parts.
bool isCollisionDisabled(const Scene& scene, int a, int b) {
  return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const Joint& joint) {
    return !joint.collides && ((joint.part == a && joint.to == b) || (joint.part == b && joint.to == a));
  });
}

}  // namespace

physics::World buildWorld(const Scene& scene, const physics::WorldOptions& options) {
  physics::WorldOptions sceneOptions = options;
  sceneOptions.gravity = scene.gravity;
  sceneOptions.linearDamping = scene.linearDamping;
  sceneOptions.angularDamping = scene.angularDamping;
  physics::World world(sceneOptions, physics::makeBulletCollider());
  for (const Part& part : scene.parts) world.addBody(describe(part));
  for (std::size_t k = 0; k < scene.materials.size(); ++k)
    world.setElasticity({static_cast<int>(k)}, scene.materials[k].elasticity);
  for (const MaterialPair& pair : scene.pairs)
    world.setSurfaces(
        {pair.a}, {pair.b},
        {.friction = pair.friction, .restitution = pair.restitution, .stiffness = pair.stiffness});
  for (const Joint& joint : scene.joints) world.addJoint(describe(scene, joint));
  for (int k = 0; k < static_cast<int>(scene.parts.size()); ++k)
    for (const Thruster& thruster : scene.part(k).thrusters)
      world.addThruster({{k}, thruster.position, thruster.force, thruster.inWorldAxes});
  for (const Hand& hand : scene.hands) world.addHand(hand.parameters, hand.X_WH);
  return world;
}

physics::World rebuildWorld(const Scene& scene, const physics::WorldOptions& options,
                            const physics::World& world) {
  physics::World rebuilt = buildWorld(scene, options);
  rebuilt.restore(*world.snapshot());
  return rebuilt;
}

std::vector<Interference> findInterferences(const Scene& scene, double tolerance, std::size_t maxCount) {
  const auto collider = physics::makeBulletCollider();
  std::vector<Pose> poses;
  for (const Part& part : scene.parts) {
    // No dynamics here, so the part's origin serves as center of mass. Fixed parts are added as movable:
    // pairs of them are checked as well.
    const bool unbounded = std::holds_alternative<physics::HalfSpace>(part.shape);
    collider->addBody(part.shape, Vector3d::Zero(), !unbounded);
    poses.push_back(part.X_WP);
  }
  std::vector<physics::BodyPair> pairs;
  collider->findPairs(poses, std::vector<double>(poses.size(), 0.0), pairs);
  std::vector<Interference> found;
  physics::ContactSet contacts;
  for (const physics::BodyPair& pair : pairs) {
    if (found.size() >= maxCount) break;
    if (isCollisionDisabled(scene, pair.i.value, pair.j.value)) continue;
    contacts.clear();
    const auto pose = [&](physics::BodyId id) { return poses[static_cast<std::size_t>(id.value)]; };
    collider->findContacts(pair, pose(pair.i), pose(pair.j), 0.0, contacts);
    double depth = 0;
    for (const physics::Contact& contact : contacts) depth = std::max(depth, -contact.separation);
    if (depth > tolerance) found.push_back({pair.i.value, pair.j.value, depth});
  }
  return found;
}

}  // namespace tenon::content
