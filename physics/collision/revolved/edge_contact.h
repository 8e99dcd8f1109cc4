// Two sharp edges that meet, one of each solid.
#pragma once

#include "physics/collision/revolved/pair_search.h"

namespace tenon::physics {

/// A point of a sharp edge.
struct EdgePoint {
  Vector3d p = Vector3d::Zero();                                 ///< [m]
  Vector3d tangent = Vector3d::Zero();                           ///< unit
  Vector3d before = Vector3d::Zero(), after = Vector3d::Zero();  ///< normals of the edge's faces here
  Vector3d arm = Vector3d::Zero();  ///< from a circle's centre [m], zero: straight
  double behind = 0, ahead = 0;     ///< how far a straight edge goes on [m]
};

/// The contact at the closest points of an edge of A and one of B, without a feature: along their common
/// normal, or where they cut through each other and no normal of theirs frees them, by the deepest point of
/// either. False where they do not meet, or not within the pair's range.
bool edgeContact(const PairSearch& pair, const EdgePoint& a, const EdgePoint& b, SurfaceContact& contact);

}  // namespace tenon::physics
