// The round hole a goal names and what goes into it, from the shapes of a scene.
#pragma once

#include <optional>

#include "content/scene/scene.h"

namespace tenon::runtime {

/// The hole named by `goal`, from the shape of the part it goes into; none where there is no such. Of a
/// cavity with a profile, the bore is its narrowest place down to the goal's depth, and the lead-in all
/// above.
std::optional<physics::RoundHole> holeOf(const content::Scene& scene, const content::Goal& goal);

/// Diameter [m] of what the goal puts into the hole: the largest of the part's round shapes about the
/// feature's axis within `goal.depth` behind the feature's origin. None where no round shape of the
/// part has that axis.
std::optional<double> pegDiameterOf(const content::Scene& scene, const content::Goal& goal);

}  // namespace tenon::runtime
