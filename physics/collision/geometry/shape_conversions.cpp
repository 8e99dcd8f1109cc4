// Profiles of cylinders and frustums; plain holes that fit into cavities.
#include "physics/collision/geometry/shape_conversions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "physics/collision/geometry/faceted_block.h"
#include "physics/collision/geometry/slabs.h"

namespace tenon::physics {
namespace {

/// Radii that differ by less are equal: rounding of a profile in the unit of a file [m].
constexpr double kSameRadius = 1e-12;
/// Maximum number of facets of all holes of a block: bounds preparation time and memory [-].
constexpr std::size_t kMaxFacets = 8192;

SolidOfRevolution withEnds(double bottom, double top, double halfLength) {
  SolidOfRevolution solid;
  solid.profile.emplace_back(-halfLength, 0);
  if (bottom > 0) solid.profile.emplace_back(-halfLength, bottom);
  if (top > 0) solid.profile.emplace_back(halfLength, top);
  solid.profile.emplace_back(halfLength, 0);
  return solid;
}

// --- blocks --------------------------------------------------------------------------------------------

// The face that a cavity opens on, as 2·axis + (1 where its normal is positive).
int faceOf(const Cavity& cavity) {
  const Vector3d z = cavity.X_BH.q * Vector3d::UnitZ();
  int axis = 0;
  z.cwiseAbs().maxCoeff(&axis);
  return 2 * axis + (z[axis] > 0 ? 1 : 0);
}

int mostUsedFace(const BlockWithHoles& block) {
  std::array<int, 6> count{};
  for (const Cavity& cavity : block.cavities) {
    ++count[static_cast<std::size_t>(faceOf(cavity))];
    if (cavity.through) ++count[static_cast<std::size_t>(faceOf(cavity) ^ 1)];
  }
  // Default: the +z face.
  int best = 5;
  for (int face = 0; face < 6; ++face)
    if (count[static_cast<std::size_t>(face)] > count[static_cast<std::size_t>(best)]) best = face;
  return best;
}

// Rotation that maps z to the normal of `face`.
Quaterniond rotationToFace(int face) {
  constexpr double h = std::numbers::sqrt2 / 2;
  switch (face) {
    case 0:
      return {h, 0, -h, 0};
    case 1:
      return {h, 0, h, 0};
    case 2:
      return {h, h, 0, 0};
    case 3:
      return {h, -h, 0, 0};
    case 4:
      return {0, 1, 0, 0};
    default:
      return Quaterniond::Identity();
  }
}

// Lead-in and bore that fit into the cavity; depth 0 if there are none.
RoundHole simpleHole(const Cavity& cavity, double height) {
  const auto& profile = cavity.profile;
  const std::size_t inner = profile.size() - (cavity.through ? 0 : 1);
  RoundHole hole;
  hole.name = cavity.name;
  hole.radius = profile.front().y();
  for (std::size_t i = 0; i < inner; ++i) hole.radius = std::min(hole.radius, profile[i].y());
  hole.depth = cavity.through ? height : -profile[inner - 1].x();
  const bool leadsIn = inner > 1 && profile[0].y() > profile[1].y() && profile[1].x() < 0 &&
                       profile[1].y() - hole.radius <= kSameRadius && -profile[1].x() < hole.depth;
  if (leadsIn) {
    hole.chamferWidth = profile[0].y() - hole.radius;
    hole.chamferDepth = -profile[1].x();
  }
  return hole;
}

int sectorsFor(std::size_t holes) {
  for (const int sectors : {128, 64, 32, 16})
    if (holes * static_cast<std::size_t>(sectors) <= kMaxFacets) return sectors;
  return 8;
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

int facetsPerHole(std::size_t cavities) {
  return static_cast<int>(std::min(cavities * static_cast<std::size_t>(sectorsFor(cavities)), kMaxFacets));
}

int convexPartCount(const Shape& shape) {
  std::size_t count = 1;
  if (const auto* hull = std::get_if<Hull>(&shape)) count += hull->vertices.size();
  if (const auto* solid = std::get_if<BoundarySolid>(&shape)) count += solid->vertices.size() / 64;
  if (const auto* solid = std::get_if<SolidOfRevolution>(&shape)) count += solid->profile.size();
  if (const auto* block = std::get_if<BlockWithHoles>(&shape))
    count += static_cast<std::size_t>(facetsPerHole(block->cavities.size()));
  if (const auto* faceted = std::get_if<FacetedBlock>(&shape))
    count += faceted->holes.size() * static_cast<std::size_t>(faceted->sectors);
  if (const auto* compound = std::get_if<Compound>(&shape))
    for (const PlacedShape& child : compound->children)
      count += static_cast<std::size_t>(convexPartCount(child.shape));
  return static_cast<int>(count);
}

PlacedShape facetedBlockOf(const BlockWithHoles& block) {
  const int face = mostUsedFace(block);
  Pose X_BF;
  X_BF.q = rotationToFace(face);
  const Quaterniond q_FB = X_BF.q.conjugate();
  FacetedBlock faceted;
  faceted.halfExtents = (q_FB * block.halfExtents).cwiseAbs();
  for (const Cavity& cavity : block.cavities) {
    const int own = faceOf(cavity);
    if (own != face && !(cavity.through && (own ^ 1) == face)) continue;
    RoundHole hole = simpleHole(cavity, 2 * faceted.halfExtents.z());
    if (hole.depth < kProfileTolerance) continue;
    if (own != face) hole.chamferWidth = hole.chamferDepth = 0;
    hole.center = (q_FB * cavity.X_BH.p).head<2>();
    hole.name = std::to_string(faceted.holes.size());  // names of the cavities need not be unique
    faceted.holes.push_back(hole);
  }
  faceted.sectors = sectorsFor(faceted.holes.size());
  if (faceted.holes.size() * static_cast<std::size_t>(faceted.sectors) > kMaxFacets || problemWith(faceted))
    faceted.holes.clear();
  return {faceted, X_BF};
}

}  // namespace tenon::physics
