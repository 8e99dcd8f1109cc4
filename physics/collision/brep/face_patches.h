// A face on a free-form surface as a face on each of its patches.
#pragma once

#include <vector>

#include "physics/collision/brep/solid.h"

namespace tenon::physics::brep {

/// The parts of a face, at least one, each with the trim that matters to it, or none where it has the whole
/// patch. `joint`: see Trim::finish().
std::vector<Face> patchesOf(const Face& whole, double joint);

}  // namespace tenon::physics::brep
