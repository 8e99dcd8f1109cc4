// Overlap of two solids at poses that no step led to, from samples of their curved faces.
#pragma once

#include "physics/collision/brep/solid.h"

namespace tenon::physics::brep {

/// The largest distance from the boundary of one solid, of samples of the curved faces of the other one that
/// lie inside it, at pose X_BA [m]; 0 without such samples. A lower bound of the depth, to 0.1 %: faces have
/// samples at about the smaller depth limit, and at most some hundred each. findSolidContacts() follows an
/// overlap that grows from zero; one that is deeper than the depth limits at once has no contact where no
/// sharp edge crosses a face. Some microseconds a sample.
double sampledOverlap(const Solid& a, const Solid& b, const RigidTransform& X_BA);

}  // namespace tenon::physics::brep
