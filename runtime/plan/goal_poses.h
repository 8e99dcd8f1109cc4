// Where the goals of a scene place its parts.
#pragma once

#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// Poses of all parts in the world, with those that goals place at their goals, free of overlap within the
/// goals' depth tolerances where that is possible. Parts without a goal keep their start poses.
std::vector<physics::Pose> goalPoses(const content::Scene& scene);

}  // namespace tenon::runtime
