// A block with round holes as convex pieces: what it is for collision.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "physics/collision/geometry/polytope.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

/// What keeps `block` from being made, in words, or nothing: sizes that are not positive and finite,
/// holes that overlap, leave the block, or that no straight cut parallel to a side can keep apart.
std::optional<std::string> problemWith(const FacetedBlock& block);

/// Convex pieces that fill the block less its faceted holes, exactly and without overlap.
///
/// The +z face is cut between the holes, by straight cuts from side to side, into one cell for each
/// hole. A cell is filled by block.sectors wedges, between the hole's planes and the cell's border;
/// the seams of wedge k are the half-planes from the hole's axis at 2π(k ± ½)/sectors from +x. Under a
/// blind hole stands one more prism. Faces between pieces are marked internal.
/// Throws std::invalid_argument with the words of problemWith().
std::vector<Polytope> convexDecomposition(const FacetedBlock& block);

}  // namespace tenon::physics
