// Moves the corners of a path to the middle of the room that they have.
#pragma once

#include <vector>

#include "runtime/plan/leg_travel.h"
#include "runtime/plan/removal_order.h"

namespace tenon::runtime {

/// Of a path of one unit: each leg is made shorter or longer, to the middle of the range in which the whole
/// path remains free of the `resting` parts. A search stops where a part touches the next one; a hand should
/// not have to. Returns early once `travel` is stopped.
void centerLegs(const Assembly& assembly, LegTravel& travel, const std::vector<int>& resting,
                Removal& removal);

}  // namespace tenon::runtime
