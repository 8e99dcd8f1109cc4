// Contact of two sharp edges, one of each solid.
#pragma once

#include "physics/collision/revolved/pair_search.h"

namespace tenon::physics {

/// A point of a sharp edge.
struct EdgePoint {
  Vector3d p = Vector3d::Zero();                                 ///< [m]
  Vector3d tangent = Vector3d::Zero();                           ///< unit
  Vector3d before = Vector3d::Zero(), after = Vector3d::Zero();  ///< normals of the edge's faces at p
  Vector3d arm = Vector3d::Zero();  ///< from the circle's center [m]; zero for a straight edge
  double behind = 0, ahead = 0;     ///< remaining length of a straight edge before and after p [m]
};

/// Contact at the closest points of an edge of A and an edge of B, without a feature code: along their common
/// normal, or, if the edges penetrate the solids and no common normal separates them, at the deepest point of
/// either edge. False if the edges are not in contact within the pair's range.
bool edgeContact(const PairSearch& pair, const EdgePoint& a, const EdgePoint& b, SurfaceContact& contact);

}  // namespace tenon::physics
