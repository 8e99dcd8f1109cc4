// The closest points of two convex parts where no pair of features proves them: by the maximum separation
// over all directions.
#pragma once

#include <optional>

#include "physics/collision/manifold/candidates.h"
#include "physics/collision/manifold/separating_axes.h"

namespace tenon::physics {

/// Adds the candidate found by maximumSeparation() from `start`, unless its normal belongs to a seam between
/// convex parts: then returns what addConvexContacts() returns. `axes` has measured faces and crossings.
std::optional<Contact> addSearchedContact(const ConvexPair& pair, const SeparatingAxes& axes,
                                          const Vector3d& start, Candidates& candidates);

}  // namespace tenon::physics
