// From a checked Scene to a running world.
#pragma once

#include <limits>
#include <vector>

#include "content/scene/scene.h"
#include "physics/world.h"

namespace tenon::content {

/// World with the scene's parts as bodies (BodyId = index of the part) and its hands (HandId = index
/// of the hand), at their start.
physics::World buildWorld(const Scene& scene, const physics::WorldOptions& options);

/// Two parts that overlap at the start, and by how much.
struct Interference {
  int a = -1, b = -1;  ///< indices of parts
  double depth = 0;    ///< [m] > 0
};

/// Parts that overlap by more than `tolerance` [m] at their start poses, in the order of the parts;
/// looks no further once it has found `atMost` of them.
std::vector<Interference> findInterferences(const Scene& scene, double tolerance,
                                            std::size_t atMost = std::numeric_limits<std::size_t>::max());

}  // namespace tenon::content
