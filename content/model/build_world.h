// Builds the physics world of a checked Scene.
#pragma once

#include <limits>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"

namespace tenon::content {

/// World with the parts of the scene as bodies (BodyId = index of the part) and its hands (HandId = index
/// of the hand), in their start poses.
physics::World buildWorld(const Scene& scene, const physics::WorldOptions& options);

/// The world of `scene` with other options, in the state of `world` (at the step nearest to its time), with
/// the same parts grasped.
physics::World rebuildWorld(const Scene& scene, const physics::WorldOptions& options,
                            const physics::World& world);

/// Two parts that overlap at the start.
struct Interference {
  int a = -1, b = -1;  ///< indices of parts
  double depth = 0;    ///< penetration depth [m], > 0
};

/// Pairs of parts that overlap by more than `tolerance` [m] in their start poses, in the order of the parts.
/// Stops after `maxCount` pairs.
std::vector<Interference> findInterferences(const Scene& scene, double tolerance,
                                            std::size_t maxCount = std::numeric_limits<std::size_t>::max());

}  // namespace tenon::content
