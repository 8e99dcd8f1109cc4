// A face on a free-form surface as a face on each of its patches; bounds of tori, and the ends of those that
// cross themselves.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "physics/collision/brep/solid.h"

namespace tenon::physics::brep {

/// The parts of a face, at least one, each with the trim that matters to it, or none where it has the whole
/// patch. `joint`: see Trim::finish().
std::vector<Face> patchesOf(const Face& whole, double joint);

/// Of a torus, in its frame [m], without these intervals of the angles about its axis and along its tube
/// [rad].
Bounds torusBounds(const Surface& s, const std::optional<std::array<double, 2>>& around,
                   const std::optional<std::array<double, 2>>& along);

/// True for a point in the frame of a torus whose tube is wider than its circle, if the torus meets its axis
/// there.
bool isEndOnAxis(const Surface& s, const Vector3d& p);

/// Trims the face of such a torus at its axis, above its center or below.
void endOnAxis(Face& face, bool isAbove);

}  // namespace tenon::physics::brep
