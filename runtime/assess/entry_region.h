// Where the depth of a part in its hole counts: over the mouth, and in the hole.
#pragma once

#include <limits>

#include "content/model/hole_sites.h"
#include "content/model/scene.h"
#include "runtime/assess/insertion_view.h"

namespace tenon::runtime {

/// The catch of a hole's mouth, in the hole's frame H, for one part. The part's axis is the line from its
/// feature's origin (the tip) back to its other end. Two cases count, both only while the feature points into
/// the hole:
/// - over the mouth: the tip is no further off the hole's axis than the mouth is wide, and no higher than
///   kApproach radii of the mouth above it;
/// - in the hole: a point of the part's axis is below the mouth, above the hole's end, and no further off the
///   hole's axis than the mouth is wide.
/// The radius is that of the mouth, its chamfer, countersink or counterbore included: a tip beyond it stands
/// on the face, however wide the part is.
struct EntryRegion {
  static constexpr double kApproach = 2;

  double radius = std::numeric_limits<double>::infinity();  ///< of the mouth [m]; infinite: not known
  double depth = std::numeric_limits<double>::infinity();   ///< of the hole, on its axis [m]
  double length = 0;                                        ///< of the part, behind its tip [m]

  bool isAboveMouth(const InsertionPose& stand) const;
  bool isInHole(const InsertionPose& stand) const;
  bool contains(const InsertionPose& stand) const { return isAboveMouth(stand) || isInHole(stand); }
};

/// The catch of a mouth for a part of this length behind its tip [m].
EntryRegion entryRegionOf(double length, const content::HoleSite& site);
/// The catch of mouth `hole` of part `into` for the feature of `part`. Bounds give the part's length.
EntryRegion entryRegionOf(const content::Part& part, const content::AxisFeature& feature,
                          const content::Part& into, const std::string& hole);
EntryRegion entryRegionOf(const content::Scene& scene, const content::Goal& goal);

/// The depth of the tip where it counts; elsewhere at most 0: above the mouth's plane it is the height over
/// it, negative, and below that plane 0 [m].
double effectiveDepth(const EntryRegion& mouth, const InsertionPose& stand);

}  // namespace tenon::runtime
