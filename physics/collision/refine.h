// From an iterative search's nearly closest points to exact ones: which edges and rims meet there, and
// where exactly.
#pragma once

#include <optional>

#include "physics/collision/piece.h"
#include "physics/collision/piece_contacts.h"

namespace tenon::physics {

/// Exact closest points of the cores of `a` and `b` (placed at X_AB in a's frame) near `start`, in a's
/// frame: edge, rim or core line against rim, edge or core line, or curved side against curved side, by
/// Newton's method. Also where they overlap slightly: then the distance is negative. Nothing where no
/// such pair is proven to be the closest, by a plane that separates the cores by its distance.
std::optional<CorePoints> refine(const Piece& a, const Piece& b, const Motion3& X_AB,
                                 const CorePoints& start);

}  // namespace tenon::physics
