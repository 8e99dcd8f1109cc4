// Openings and ends of bars found in a part's file as holes and features, and what a goal or a step takes
// that names none.
#pragma once

#include <optional>

#include "content/model/part_holes.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Adds the openings and ends found in the part's file, after the declared ones. Left out are those whose
/// names the scene gives to others, and those at the place of a declared one with its direction.
void addFoundSites(Part& part);

/// Index of the feature that enters a hole where none is named: the only one, or the only one but for ends of
/// bars found in the file; empty if there is neither.
std::optional<int> defaultFeature(const Part& part);

/// The hole that a goal takes which names none: the only one, or the only one but for openings found in the
/// file that are not round; empty if there is neither.
std::optional<HoleSite> defaultHole(const Part& part);

}  // namespace tenon::content
