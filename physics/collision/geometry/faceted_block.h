// Convex decomposition of a block with faceted round holes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "physics/collision/geometry/polytope.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

/// True if the hole goes through the block.
bool isThrough(const FacetedBlock& block, const RoundHole& hole);

/// Description of what is invalid in `block`, or nothing: sizes that are not positive and finite, holes that
/// overlap, leave the block, or cannot be separated by straight cuts parallel to the sides.
std::optional<std::string> problemWith(const FacetedBlock& block);

/// Convex parts that fill the block minus its faceted holes, exactly and without overlap.
///
/// The +z face is cut between the holes, by straight cuts from side to side, into one cell for each
/// hole. A cell is filled by block.sectors wedges, between the hole's planes and the cell's border;
/// the seams of wedge k are the half-planes from the hole's axis at 2π(k ± ½)/sectors from +x. A prism fills
/// the material below a blind hole. Faces between convex parts are marked internal. Throws
/// std::invalid_argument with the text of problemWith().
std::vector<Polytope> convexDecomposition(const FacetedBlock& block);

}  // namespace tenon::physics
