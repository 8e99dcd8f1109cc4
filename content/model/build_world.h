// From a checked Scene to a running world.
#pragma once

#include <limits>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"

namespace tenon::content {

/// World with the scene's parts as bodies (BodyId = index of the part) and its hands (HandId = index
/// of the hand), at their start.
physics::World buildWorld(const Scene& scene, const physics::WorldOptions& options);

/// The world of `scene` with other options, in the state of `world` (at the step nearest to its time), with
/// the same parts held.
physics::World rebuildWorld(const Scene& scene, const physics::WorldOptions& options,
                            const physics::World& world);

/// Two parts that overlap at the start, and by how much.
struct Interference {
  int a = -1, b = -1;  ///< indices of parts
  double depth = 0;    ///< [m] > 0
};

/// Parts that overlap by more than `tolerance` [m] at their start poses, in the order of the parts;
/// looks no further once it has found `maxCount` of them.
std::vector<Interference> findInterferences(const Scene& scene, double tolerance,
                                            std::size_t maxCount = std::numeric_limits<std::size_t>::max());

}  // namespace tenon::content
