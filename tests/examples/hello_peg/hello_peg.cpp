// Inserts a peg of 8 mm into a bore with 0.1 mm of clearance, 1 mm beside it, and prints what happened.
#include <tenon/physics/collision/bullet/bullet_collider.h>
#include <tenon/physics/world.h>
#include <tenon/version.h>

#include <algorithm>
#include <cstdio>

using namespace tenon::physics;

int main() {
  World world({.dt = 1e-3}, makeBulletCollider());

  // A block of 40 x 40 x 20 mm, its top at z = 0, with a bore of 8.1 mm, 15 mm deep, and a chamfer of 1.5 mm.
  const Cavity bore{.name = "bore",
                    .X_BH = Pose::at({0, 0, 0.01}),
                    .profile = {{0, 0.00555}, {-0.0015, 0.00405}, {-0.015, 0.00405}, {-0.015, 0}}};
  world.addBody({.name = "block",
                 .shape = BlockWithHoles{.halfExtents = {0.02, 0.02, 0.01}, .cavities = {bore}},
                 .motion = MotionType::fixed,
                 .X_WP = Pose::at({0, 0, -0.01}),
                 .material = {0}});

  // A steel peg, 30 mm long, that stands 10 mm above the block.
  const Cylinder cylinder{.radius = 0.004, .halfLength = 0.015};
  const Pose start = Pose::at({0.001, 0, 0.025});
  const BodyId peg = world.addBody({.name = "peg",
                                    .shape = cylinder,
                                    .mass = massProperties(cylinder, 7850),
                                    .X_WP = start,
                                    .material = {0}});
  world.setSurfaces({0}, {0}, {.friction = 0.1});

  // A hand grasps the peg and moves down 25.5 mm in 2 s: 0.5 mm further than the bore is deep.
  const HandId hand = world.addHand({}, start);
  world.apply(Grab{hand, peg, start});
  double push = 0;
  for (int step = 1; step <= 2000; ++step) {
    world.apply(MoveHand{hand, Pose::at(start.p - Vector3d(0, 0, 0.0255 * step / 2000))});
    push = std::max(push, -world.step().hands[0].force.z());
  }

  const double depth = 0.015 - world.stepResult().bodies[static_cast<std::size_t>(peg.value)].X_WC.p.z();
  std::printf("Tenon %s: the peg is %.2f mm deep; the hand pushed with %.2f N at most\n", TENON_VERSION,
              depth * 1e3, push);
  return depth > 0.0149 ? 0 : 1;
}
