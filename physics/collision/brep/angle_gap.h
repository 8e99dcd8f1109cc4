// What a set of intervals leaves free of a turn.
#pragma once

#include <array>
#include <optional>
#include <vector>

namespace tenon::physics::brep {

/// The largest interval of an angle [rad] that none of `covered` (each a least and a largest angle) includes;
/// it may begin beyond a turn. Empty if they cover the whole turn. `covered` must not be empty.
std::optional<std::array<double, 2>> largestGap(std::vector<std::array<double, 2>> covered);

}  // namespace tenon::physics::brep
