// How deep a sharp peg is in a chamfered round bore, by their exact geometry. Calls no engine: what engines
// are measured with.
#pragma once

#include "physics/math/pose.h"

namespace tenon::tests {

/// A cylinder and a through bore with a 45° lead-in. The bore's axis is world z, its mouth at z = 0, the
/// material at −height ≤ z ≤ 0 all round without end. The peg's axis is its own z, its tip at its origin.
struct PegAndBore {
  double pegRadius = 5e-3;   ///< [m]
  double pegLength = 60e-3;  ///< [m]
  double boreRadius = 5e-3;  ///< [m]
  double chamfer = 1.5e-3;   ///< width and depth of the lead-in [m]
  double height = 40e-3;     ///< of the block [m]
};

/// Deepest overlap of the two [m], 0 where they do not overlap: the greatest depth of a point of the peg's
/// two rims in the material, or of a point of the bore's three edges in the peg, depth being the distance to
/// the other's nearest surface. (Along straight generators the greatest depth is at their ends.) Phases are
/// sampled densely, every peak refined to 1e-13 m. NaN where the pose is not finite.
double overlap(const PegAndBore& fit, const physics::Pose& X_WP);

}  // namespace tenon::tests
