// Profiles of cylinders and frustums; frustums of profiles.
#include "physics/collision/geometry/shape_conversions.h"

#include <algorithm>

#include "physics/collision/geometry/slabs.h"

namespace tenon::physics {
namespace {

SolidOfRevolution withEnds(double bottom, double top, double halfLength) {
  SolidOfRevolution solid;
  solid.profile.emplace_back(-halfLength, 0);
  if (bottom > 0) solid.profile.emplace_back(-halfLength, bottom);
  if (top > 0) solid.profile.emplace_back(halfLength, top);
  solid.profile.emplace_back(halfLength, 0);
  return solid;
}

}  // namespace

SolidOfRevolution revolvedOf(const Cylinder& cylinder) {
  return withEnds(cylinder.radius, cylinder.radius, cylinder.halfLength);
}

SolidOfRevolution revolvedOf(const Frustum& frustum) {
  return withEnds(frustum.bottomRadius, frustum.topRadius, frustum.halfLength);
}

std::vector<PlacedShape> frustumsOf(const SolidOfRevolution& solid) {
  std::vector<PlacedShape> slabs;
  for (const Slab& slab : slabsOf(solid.profile)) {
    if (slab.high - slab.low < kProfileTolerance) continue;
    if (std::max(slab.lowRadius, slab.highRadius) < kProfileTolerance) continue;
    slabs.push_back({Frustum{slab.lowRadius, slab.highRadius, 0.5 * (slab.high - slab.low)},
                     Pose::at({0, 0, 0.5 * (slab.low + slab.high)})});
  }
  return slabs;
}

int convexPartCount(const Shape& shape) {
  std::size_t count = 1;
  if (const auto* hull = std::get_if<Hull>(&shape)) count += hull->vertices.size();
  if (const auto* solid = std::get_if<BoundarySolid>(&shape)) count += solid->vertices.size() / 64;
  if (const auto* solid = std::get_if<SolidOfRevolution>(&shape)) count += solid->profile.size();
  if (const auto* block = std::get_if<BlockWithHoles>(&shape))
    for (const Cavity& cavity : block->cavities) count += cavity.profile.size();
  if (const auto* faceted = std::get_if<FacetedBlock>(&shape))
    count += faceted->holes.size() * static_cast<std::size_t>(faceted->sectors);
  if (const auto* compound = std::get_if<Compound>(&shape))
    for (const PlacedShape& child : compound->children)
      count += static_cast<std::size_t>(convexPartCount(child.shape));
  return static_cast<int>(count);
}

}  // namespace tenon::physics
