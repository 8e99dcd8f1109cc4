// Contact search for corners and straight edges of one solid against the surface of another.
#pragma once

#include "physics/collision/revolved/edge_contact.h"
#include "physics/collision/revolved/pair_search.h"

namespace tenon::physics {

/// Adds the contact of a tip or other point of `owner` with the other solid.
void pointAgainst(const PairSearch& pair, Owner owner, const Vector3d& p, int feature, bool alsoEdges);

/// Adds contacts of the corners of `owner` with faces, straight edges and corners of the other solid. Rims of
/// the other solid are handled by EdgeSearch. Each pair of corners counts once, as A's. `faces`: the flat
/// ones of the other solid, on any of which a corner may rest that lies in the plane of another one.
void cornersAgainst(const PairSearch& pair, Owner owner, std::span<const FlatFeatures::Corner> corners,
                    std::span<const FlatFeatures::Face> faces);
/// Adds contacts of corners with all faces of a cavity that they can touch, not only the nearest: between
/// floor and wall both constrain the corner.
void cornersAgainstCavity(const PairSearch& pair, Owner owner, std::span<const FlatFeatures::Corner> corners,
                          const PlacedMeridian& cavity);

/// Adds contacts of crossing straight edges of A and B.
void edgesAgainstEdges(const PairSearch& pair, const FlatView& a, const FlatView& b);

/// Adds contacts of straight edges of `owner` with convex round faces of the other solid.
void edgesAgainstSegments(const PairSearch& pair, Owner owner, const FlatView& lines,
                          const PlacedMeridian& other);

/// Adds the deepest point of straight edges of `owner` that pass through the other solid, within the planes
/// of `faces`, if no contact from `first` on has δ < 0. It detects a bar through a wall.
void edgesThrough(const PairSearch& pair, Owner owner, const FlatView& lines,
                  std::span<const FlatFeatures::Face> faces, std::size_t first);

}  // namespace tenon::physics
