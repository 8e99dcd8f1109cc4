// Corners and straight edges of one solid against the surface of another.
#pragma once

#include "physics/collision/revolved/edge_contact.h"
#include "physics/collision/revolved/pair_search.h"

namespace tenon::physics {

/// A tip or other point of `owner` against the other solid.
void pointAgainst(const PairSearch& pair, Owner owner, const Vector3d& p, int feature, bool alsoEdges);

/// Corners of `owner` against the faces, straight edges and corners of the other solid, where they face them;
/// against its rims the rims ask. Each pair of corners counts once, as A's.
void cornersAgainst(const PairSearch& pair, Owner owner, std::span<const FlatFeatures::Corner> corners);
/// Beyond the nearest face of a cavity, all others of it that a corner can touch: in a corner between a floor
/// and a wall both hold it.
void cornersAgainstCavity(const PairSearch& pair, Owner owner, std::span<const FlatFeatures::Corner> corners,
                          const PlacedMeridian& cavity);

/// Straight edges of A against those of B, where they cross.
void edgesAgainstEdges(const PairSearch& pair, const FlatView& a, const FlatView& b);

/// Straight edges of `owner` against the round convex faces of the other solid.
void edgesAgainstSegments(const PairSearch& pair, Owner owner, const FlatView& lines,
                          const PlacedMeridian& other);

/// Straight edges of `owner` that run through the other solid, within the planes of `faces`, if no contact
/// from `first` on is negative: of a bar through a wall nothing else tells.
void edgesThrough(const PairSearch& pair, Owner owner, const FlatView& lines,
                  std::span<const FlatFeatures::Face> faces, std::size_t first);

}  // namespace tenon::physics
