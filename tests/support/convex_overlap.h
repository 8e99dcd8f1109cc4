// How deep two convex bodies with flat faces are in each other, by separating planes: exact, from vertices
// alone. Calls no engine: what engines are measured with.
#pragma once

#include <vector>

#include "physics/math/pose.h"

namespace tenon::tests {

/// A convex body in the world: its corners, one normal for each pair of parallel faces, and one direction for
/// each set of parallel edges (any length, either sense).
struct ConvexBody {
  std::vector<physics::Vector3d> corners, normals, edges;
};

ConvexBody boxBody(const physics::Vector3d& halfExtents, const physics::Pose& X_WB);

/// A prism along y whose base is a convex polygon, its corners (x, z) in order.
ConvexBody prismBody(const std::vector<Eigen::Vector2d>& base, double halfWidth, const physics::Pose& X_WB);

/// The shortest way out of each other along any normal or across any two edges [m]; negative where they are
/// apart (S. Gottschalk, M. Lin, D. Manocha, OBBTree, SIGGRAPH 96).
double overlapOf(const ConvexBody& a, const ConvexBody& b);

}  // namespace tenon::tests
