// See build_world.h.
#include "content/model/build_world.h"

#include "content/model/interference_search.h"
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
          .collides = joint.collides};
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
  for (int k = 0; k < static_cast<int>(scene.parts.size()); ++k) {
    const Part& part = scene.part(k);
    for (const Hexagon& hexagon : part.hexagons)
      world.addHexagon({{k}, hexagon.X_PH, hexagon.size, hexagon.depth});
    if (const auto& driver = part.driver)
      world.addDriver({{k}, driver->X_PT, driver->size, driver->torqueLimit, driver->ratchet});
  }
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
  return InterferenceSearch(scene).find(scene, tolerance, maxCount);
}

}  // namespace tenon::content
