// Screws that the ends of their threads or the bottoms of their holes stop before their places.
#pragma once

#include <vector>

#include "content/model/scene.h"
#include "runtime/plan/part_distance.h"

namespace tenon::runtime {

/// Throws content::InputError for a goal with threads whose screw overlaps its hole in the assembled state
/// because it is too long for the hole, or its own thread too short: which, by how much, and what to change.
/// Elastic materials do not make a screw shorter: they are no exception. `X_WP`: by part, in the world.
void checkScrewStops(const content::Scene& scene, const std::vector<physics::Pose>& X_WP,
                     PartDistance& distance);

}  // namespace tenon::runtime
