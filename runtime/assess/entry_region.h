// The region in which the insertion depth of a part is defined: above the mouth, and in the hole.
#pragma once

#include <limits>

#include "content/model/hole_sites.h"
#include "content/model/scene.h"
#include "runtime/assess/insertion_view.h"

namespace tenon::runtime {

/// The entry region of a hole, in the hole's frame H, for one part. The part's axis is the line from its
/// feature's origin (the tip) back to its other end. The part is in the region if its feature points into the
/// hole, and one of these holds:
/// - above the mouth: the distance of the tip from the hole's axis is at most the mouth's radius, its height
///   above the mouth at most kApproach radii of the mouth;
/// - in the hole: a point of the part's axis is below the mouth, above the hole's end, and at most the
///   mouth's radius from the hole's axis.
/// The mouth's radius includes its chamfer, countersink or counterbore: a tip outside it is on the face,
/// whatever the part's own radius.
struct EntryRegion {
  static constexpr double kApproach = 2;

  double radius = std::numeric_limits<double>::infinity();  ///< of the mouth [m]; infinite: unknown
  double depth = std::numeric_limits<double>::infinity();   ///< of the hole along its axis [m]
  double length = 0;                                        ///< of the part, behind its tip [m]

  bool isAboveMouth(const InsertionPose& stand) const;
  bool isInHole(const InsertionPose& stand) const;
  bool contains(const InsertionPose& stand) const { return isAboveMouth(stand) || isInHole(stand); }
};

/// The entry region of a hole for a part of this length behind its tip [m].
EntryRegion entryRegionOf(double length, const content::HoleSite& site);
/// That of a goal's hole for its part, whose length follows from its bounds; without bounds for a goal with a
/// pose.
EntryRegion entryRegionOf(const content::Scene& scene, const content::Goal& goal);

/// The depth of the tip in the entry region [m]; outside it at most 0: minus the height above the mouth's
/// plane, or 0 below that plane.
double effectiveDepth(const EntryRegion& mouth, const InsertionPose& stand);

}  // namespace tenon::runtime
