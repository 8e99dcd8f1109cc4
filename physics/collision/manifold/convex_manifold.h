// All contacts of two convex parts: from their features in closed form, and where these do not prove the
// closest distance, from the iterative search for the maximum separation.
#pragma once

#include <optional>

#include "physics/collision/contact.h"
#include "physics/collision/manifold/convex_pair.h"

namespace tenon::physics {

/// True if a separating axis (face normal or cross product of two edges) proves that the parts are farther
/// apart than the pair's range, which may be negative.
bool isSeparatedBeyondRange(const ConvexPair& pair);

/// A guess of the direction from side 0 to side 1 of the closest points, in the frame of side 0, where no
/// separating axis gives one. Arguments: both parts, and X_SO of side 0.
using DirectionGuess = Vector3d(const ConvexPart&, const ConvexPart&, const RigidTransform&);

/// Appends the contacts of the pair with δ ≤ range to `contacts`, unordered.
///
/// Returns a contact that is not appended, for overlapping parts without a contact of δ < 0 (the minimum
/// penetration points into a neighbor): that with the nearest face of the true surface. It overestimates the
/// depth; use it only if no other contact of the bodies shows the overlap.
std::optional<Contact> addConvexContacts(const ConvexPair& pair, BodyId i, BodyId j, DirectionGuess& guess,
                                         ContactSet& contacts);

/// Sorts `contacts` from `first` on by feature and merges duplicates of the same point.
void sortAndMerge(ContactSet& contacts, std::size_t first);

}  // namespace tenon::physics
