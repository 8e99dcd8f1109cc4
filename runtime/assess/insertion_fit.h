// The sizes of a hole and of what goes into it that decide where the two may touch.
#pragma once

#include <limits>

#include "content/scene/scene.h"

namespace tenon::runtime {

/// A round part and its round hole, reduced to what a contact can be named by. The hole is measured down
/// its axis from its mouth, the part back along its feature's axis from its tip.
struct InsertionFit {
  double boreRadius = 0;                                     ///< [m], 0: not known
  double chamferWidth = 0;                                   ///< of the lead-in, radial [m]
  double chamferDepth = 0;                                   ///< of the lead-in, axial [m]
  double boreEnd = std::numeric_limits<double>::infinity();  ///< depth of bottom or far edge [m]
  bool through = true;                                       ///< at boreEnd there is an edge, not a bottom

  double pegRadius = 0;   ///< [m], 0: the part is not round about this axis
  double tipRadius = 0;   ///< of its end face [m]
  double tipLength = 0;   ///< behind the tip, where it is first as wide as pegRadius [m]
  bool roundTip = false;  ///< tipLength is rounded, not conical
  double head = std::numeric_limits<double>::infinity();  ///< behind the tip, where it gets wider [m]

  double mouthRadius() const { return boreRadius + chamferWidth; }
  bool known() const { return boreRadius > 0 && pegRadius > 0; }
  /// Diametral clearance [m]; negative: the part is wider than the bore.
  double clearance() const { return 2 * (boreRadius - pegRadius); }
  /// How far beside the hole's axis an upright tip still finds the lead-in [m].
  double reach() const { return mouthRadius() - tipRadius; }
  /// Whitney's r: the part's radius; the bore's where the part is not round [m].
  double radius() const { return pegRadius > 0 ? pegRadius : boreRadius; }
  /// Points nearer than this to an edge are on it [m]: a thousandth of the radius is far below any
  /// chamfer, and above the sagitta of a bore of 128 facets and the rounding of poses.
  double onEdge() const { return 1e-3 * radius(); }
};

/// The fit of a goal, from the shapes of its two parts by holeOf() and pegDiameterOf(). What they do not
/// know stays at its default.
InsertionFit insertionFitOf(const content::Scene& scene, const content::Goal& goal);

}  // namespace tenon::runtime
