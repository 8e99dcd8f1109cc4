// The dimensions of a hole and of its part that determine where the two may touch.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "content/model/scene.h"
#include "content/recognize/recognized_part.h"

namespace tenon::runtime {

/// Dimensions of a round part and its round hole. Depths of the hole are measured along its axis from its
/// mouth, lengths of the part along its feature's axis back from its tip.
///
/// In a hole with a profile, the bore is the narrowest section down to the goal's depth, and the lead-in is
/// everything above it. Of the part, only the length that must pass the bore's edge to reach that depth
/// counts: a head that stays in a counterbore does not.
struct InsertionFit {
  std::vector<Eigen::Vector2d> hole;  ///< (depth, radius) from the mouth down [m]; empty: unknown
  bool through = true;                ///< the hole ends at an edge, not on its axis
  double boreRadius = 0;              ///< [m], 0: unknown
  double leadInDepth = 0;             ///< of the start of the bore [m]
  double leadInRadius = 0;            ///< of the cone above the bore; without one the bore's [m]

  double pegRadius = 0;   ///< [m], 0: the part is not round about this axis
  double tipRadius = 0;   ///< of its end face [m]
  double tipLength = 0;   ///< distance behind the tip at which the radius reaches pegRadius [m]
  bool roundTip = false;  ///< tipLength is rounded, not conical
  double head = std::numeric_limits<double>::infinity();  ///< distance behind the tip at which it widens [m]

  /// Where the hole stops an upright part on the hole's axis: at `seatLevel` below the mouth, on a circle of
  /// `seatRadius` about the part's axis, `seatBehind` its tip. Examples: the rim of a head, the circle
  /// through a prism's corners. Infinite level: the part falls through [m].
  double seatLevel = std::numeric_limits<double>::infinity(), seatBehind = 0, seatRadius = 0;

  /// Least clearance of the walls of a goal without a round hole, by its fit; unknown without one. Negative:
  /// interference [m].
  std::optional<double> wallClearance;

  /// Of the two materials, of elastic ones at the goal's depth [N/m]; infinite: rigid.
  double stiffness = std::numeric_limits<double>::infinity();

  bool hasHole() const { return !hole.empty(); }
  double mouthRadius() const { return hole.empty() ? 0 : hole.front().y(); }
  bool known() const { return boreRadius > 0 && pegRadius > 0; }
  /// Diametral clearance [m]; negative: the part is wider than the bore.
  double clearance() const { return 2 * (boreRadius - pegRadius); }
  bool isInterference() const { return known() && clearance() < 0; }
  /// Largest distance from the hole's axis at which an upright tip still enters [m].
  double captureRadius() const { return leadInRadius - tipRadius; }
  /// True if the hole or the tip has a chamfer or rounding that guides the part in.
  bool hasLeadIn() const { return leadInRadius > boreRadius || tipLength > edgeTolerance(); }
  /// Depth of the tip when the hole stops the upright part [m].
  double seatedDepth() const { return seatLevel + seatBehind; }
  /// Remaining travel along the hole's axis of a part at `depth` and `tilt` before that circle meets its
  /// seat [m].
  double seatGap(double depth, double tilt) const;
  /// Whitney's r: the part's radius, or the bore's if the part is not round [m].
  double radius() const { return pegRadius > 0 ? pegRadius : boreRadius; }
  /// Points nearer than this to an edge are on it [m]: a thousandth of the radius is far below any
  /// chamfer, and above the sagitta of a bore of 128 facets and the rounding of poses.
  double edgeTolerance() const { return 1e-3 * radius(); }
};

/// The fit of a goal, from the shapes and materials of its two parts. Unknown dimensions keep their
/// defaults.
InsertionFit insertionFitOf(const content::Scene& scene, const content::Goal& goal);

/// Length of a part behind the origin of one of its features, against its direction, from its bounds [m].
double lengthBehind(const content::Part& part, const content::AxisFeature& feature);

/// The longest cylinder about the axis of a feature.
struct Shaft {
  double diameter = 0, length = 0;  ///< [m]
};

/// The shaft of a feature of a shape, or of the mesh it was recognized in, if any; empty if none is known.
std::optional<Shaft> shaftOf(const physics::Shape& shape, const content::RecognizedPart* mesh,
                             const content::AxisFeature& feature);
std::optional<Shaft> shaftOf(const content::Part& part, const content::AxisFeature& feature);

/// Its diameter [m].
std::optional<double> shaftDiameter(const content::Part& part, const content::AxisFeature& feature);

}  // namespace tenon::runtime
