// Intersects the part's axis with the cylinder of the mouth.
#include "runtime/assess/entry_region.h"

#include <algorithm>

#include "content/model/part_holes.h"
#include "runtime/assess/insertion_fit.h"

namespace tenon::runtime {

bool EntryRegion::isAboveMouth(const InsertionPose& stand) const {
  return stand.direction_H.z() < 0 && stand.depth() <= 0 && stand.depth() >= -kApproach * radius &&
         stand.offset() <= radius;
}

bool EntryRegion::isInHole(const InsertionPose& stand) const {
  const double slope = -stand.direction_H.z();  // depth lost for each meter back from the tip
  if (!(slope > 0)) return false;
  // Distances behind the tip at which the part's axis is between the mouth and the hole's end.
  const double first = std::max((stand.depth() - depth) / slope, 0.0);
  const double last = std::min(stand.depth() / slope, length);
  if (!(first <= last)) return false;
  const Eigen::Vector2d tip = stand.tip_H.head<2>(), along = stand.direction_H.head<2>();
  const double sideways = along.squaredNorm();
  const double nearest = sideways > 0 ? std::clamp(tip.dot(along) / sideways, first, last) : first;
  return (tip - nearest * along).norm() <= radius;
}

EntryRegion entryRegionOf(double length, const content::HoleSite& site) {
  EntryRegion mouth;
  mouth.length = length;
  mouth.radius = site.profile.front().y();
  mouth.depth = site.depth();
  return mouth;
}

EntryRegion entryRegionOf(const content::Scene& scene, const content::Goal& goal) {
  const content::Part& part = scene.part(goal.part);
  const double length = lengthBehind(part, part.features[static_cast<std::size_t>(goal.feature)]);
  if (const auto site = content::mouthOf(scene, goal)) return entryRegionOf(length, *site);
  EntryRegion mouth;
  mouth.length = length;
  return mouth;
}

double effectiveDepth(const EntryRegion& mouth, const InsertionPose& stand) {
  return mouth.contains(stand) ? stand.depth() : std::min(stand.depth(), 0.0);
}

}  // namespace tenon::runtime
