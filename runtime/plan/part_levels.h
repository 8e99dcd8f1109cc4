// Coordinates of a part's faces and axes along a direction: where a sliding part is flush or in line with
// others.
#pragma once

#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// Coordinates along `direction` (unit, in the part's frame) of the faces across it, of the sides of round
/// surfaces and of their axes [m], ascending, each once. Of curved and oblique surfaces only their bounds.
std::vector<double> levelsOf(const physics::Shape& shape, const physics::Vector3d& direction);

}  // namespace tenon::runtime
