// The sizes of a hole and of what goes into it that decide where the two may touch.
#pragma once

#include <limits>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// A round part and its round hole, reduced to what a contact can be named by. The hole is measured down
/// its axis from its mouth, the part back along its feature's axis from its tip.
///
/// Of a hole with a profile, the bore is its narrowest place down to the goal's depth, and the lead-in all
/// above. Of the part, what counts is what has to pass the bore's edge to reach that depth: a head that
/// stays in a counterbore does not.
struct InsertionFit {
  std::vector<Eigen::Vector2d> hole;  ///< (depth, radius) from the mouth down [m]; empty: not known
  bool through = true;                ///< the hole ends at an edge, not on its axis
  double boreRadius = 0;              ///< [m], 0: not known
  double leadInDepth = 0;             ///< where the bore begins [m]
  double leadInRadius = 0;  ///< of the cone that leads into the bore; the bore's where there is none [m]

  double pegRadius = 0;   ///< [m], 0: the part is not round about this axis
  double tipRadius = 0;   ///< of its end face [m]
  double tipLength = 0;   ///< behind the tip, where it is first as wide as pegRadius [m]
  bool roundTip = false;  ///< tipLength is rounded, not conical
  double head = std::numeric_limits<double>::infinity();  ///< behind the tip, where it gets wider [m]

  /// Where the hole stops the part if it stands upright on the hole's axis: at `seatLevel` below the mouth, a
  /// circle of `seatRadius` about the part's axis, `seatBehind` its tip. Radius and distance of a head's rim,
  /// say; of a prism the circle through its corners. Infinite level: it falls through [m].
  double seatLevel = std::numeric_limits<double>::infinity(), seatBehind = 0, seatRadius = 0;

  double stiffness =
      std::numeric_limits<double>::infinity();  ///< of the two materials [N/m]; infinite: rigid

  double mouthRadius() const { return hole.empty() ? 0 : hole.front().y(); }
  bool known() const { return boreRadius > 0 && pegRadius > 0; }
  /// Diametral clearance [m]; negative: the part is wider than the bore.
  double clearance() const { return 2 * (boreRadius - pegRadius); }
  bool isInterference() const { return known() && clearance() < 0; }
  /// How far beside the hole's axis an upright tip still finds its way in [m].
  double reach() const { return leadInRadius - tipRadius; }
  /// Whether the hole or the tip has a slope that leads the part in.
  bool hasLeadIn() const { return leadInRadius > boreRadius || tipLength > edgeTolerance(); }
  /// How deep the tip is where the hole stops the upright part [m].
  double seatedDepth() const { return seatLevel + seatBehind; }
  /// How far a part that is `depth` deep can go on along the hole's axis, tilted as it is, before that circle
  /// meets its seat [m].
  double seatGap(double depth, double tilt) const;
  /// Whitney's r: the part's radius; the bore's where the part is not round [m].
  double radius() const { return pegRadius > 0 ? pegRadius : boreRadius; }
  /// Points nearer than this to an edge are on it [m]: a thousandth of the radius is far below any
  /// chamfer, and above the sagitta of a bore of 128 facets and the rounding of poses.
  double edgeTolerance() const { return 1e-3 * radius(); }
};

/// The fit of a goal, from the shapes and materials of its two parts. What they do not know stays at its
/// default.
InsertionFit insertionFitOf(const content::Scene& scene, const content::Goal& goal);

/// How far a part reaches behind the origin of one of its features, against its direction, by its bounds [m].
double lengthBehind(const content::Part& part, const content::AxisFeature& feature);

}  // namespace tenon::runtime
