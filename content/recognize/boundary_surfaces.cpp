// See boundary_surfaces.h.
#include "content/recognize/boundary_surfaces.h"

#include <algorithm>
#include <cmath>

#include "content/recognize/hole_profile.h"
#include "content/recognize/profile_chains.h"
#include "physics/collision/brep/surface.h"

namespace tenon::content {
namespace {

using physics::Surface;
using physics::SurfaceKind;

/// Fraction of the tolerance by which a direction may be turned to that of another face or of the file [-].
constexpr double kSnapRatio = 0.1;
/// Smallest limit of the distance of vertices from a surface of small radius [m].
constexpr double kMinLimit = 1e-6;

/// The axis of the file along `direction` if that moves the ends of the part by less than a tenth of the
/// tolerance.
Vector3d snapped(const Facets& facets, const Vector3d& direction) {
  int axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  const Vector3d unit = (direction[axis] > 0 ? 1 : -1) * Vector3d::Unit(axis);
  return (direction - unit).norm() * facets.extent < kSnapRatio * facets.tolerance ? unit : direction;
}

class SurfaceFinder {
 public:
  SurfaceFinder(const RecognitionInput& input, BoreRule rule) : input_(input), f_(input.facets), rule_(rule) {
    found_.surfaceOf.assign(static_cast<std::size_t>(f_.count()), -1);
  }

  BoundarySurfaces find() {
    for (const Region& region : input_.regions) addRegion(region);
    for (const RevolvedGroup& group : input_.groups)
      for (const ProfileLine& line : group.lines)
        if (!line.isPlane()) addLine(group, line);
    return std::move(found_);
  }

 private:
  void addRegion(const Region& region) {
    if (region.planar) {
      const Vector3d n = snapped(f_, region.normal);
      // Through the middle of the vertices, which turning the normal does not move.
      double sum = 0, count = 0;
      for (const int t : region.triangles)
        for (int k = 0; k < 3; ++k, ++count) sum += n.dot(f_.point(t, k));
      Surface s;
      const double offset = n == region.normal ? region.offset : sum / count;
      s.X_BS = frameAt(offset * n, n);
      add(s, region.triangles, f_.tolerance);
    } else if (region.surface) {
      if (auto s = surfaceOfCad(*region.surface)) addCurved(*s, region.triangles);
    }
  }

  void addCurved(const Surface& s, const std::vector<int>& triangles) {
    const double least = s.kind == SurfaceKind::torus ? std::min(s.radius, s.minor) : s.radius;
    add(s, triangles, std::min(f_.tolerance, std::max(0.01 * least, kMinLimit)));
  }

  void addLine(const RevolvedGroup& group, const ProfileLine& line) {
    const auto isTaken = [&](int t) { return found_.surfaceOf[static_cast<std::size_t>(t)] >= 0; };
    if (std::all_of(line.triangles.begin(), line.triangles.end(), isTaken)) return;
    const ExactLine exact(line, rule_);
    const double z = 0.5 * (line.low + line.high);
    Surface s;
    s.kind = line.isCylinder() ? SurfaceKind::cylinder : SurfaceKind::cone;
    s.slope = line.isCylinder() ? 0 : -exact.n.y() / exact.n.x();
    s.radius = (exact.d - exact.n.y() * z) / exact.n.x();
    s.X_BS = frameAt(pointOnAxis(group.axis, z), directionOf(group, line));
    // On the facets' vertices, or the facets inside of the circle.
    const double outside = s.radius * (1 / line.flatRatio - line.flatRatio);
    add(s, line.triangles, line.maxDeviation + f_.tolerance + outside);
  }

  /// The direction of the axis, as the normal of the largest plane of the group where this moves no point of
  /// the line by more than a tenth of the tolerance.
  Vector3d directionOf(const RevolvedGroup& group, const ProfileLine& line) const {
    const Region* plane = nullptr;
    for (const int id : group.regions) {
      const Region& region = input_.regions[static_cast<std::size_t>(id)];
      if (region.planar && (!plane || region.area > plane->area)) plane = &region;
    }
    if (!plane) return snapped(f_, group.axis.z);
    const Vector3d n = snapped(f_, plane->normal);
    const double sine = n.cross(group.axis.z).norm();
    const bool near = sine * (line.high - line.low) < kSnapRatio * f_.tolerance;
    return near ? Vector3d((n.dot(group.axis.z) > 0 ? 1 : -1) * n) : group.axis.z;
  }

  /// Adds a surface for triangles without one, unless a vertex is farther than `limit` [m] from it.
  void add(const Surface& s, const std::vector<int>& triangles, double limit) {
    std::vector<int> own;
    for (const int t : triangles) {
      if (found_.surfaceOf[static_cast<std::size_t>(t)] >= 0) continue;
      own.push_back(t);
      for (int k = 0; k < 3; ++k)
        if (!(std::abs(physics::brep::distanceValue(s, s.X_BS.inverse().point(f_.point(t, k)))) <= limit))
          return;
    }
    if (own.empty()) return;
    for (const int t : own)
      found_.surfaceOf[static_cast<std::size_t>(t)] = static_cast<int>(found_.surfaces.size());
    found_.surfaces.push_back(s);
  }

  const RecognitionInput& input_;
  const Facets& f_;
  BoreRule rule_;
  BoundarySurfaces found_;
};

/// A block with this hole, only to carry it; its size is not that of the part.
physics::PlacedShape carrierOf(const RevolvedGroup& group, const HoleProfile& hole) {
  Axis axis = group.axis;
  if (!hole.upwards) {
    axis.z = -axis.z;
    axis.y = -axis.y;
  }
  physics::BlockWithHoles block;
  const double half = std::max(hole.depth(), hole.radius());
  block.halfExtents = Vector3d::Constant(half);
  physics::Cavity cavity;
  cavity.X_BH.p = {0, 0, half};
  cavity.profile = hole.points;
  cavity.through = hole.through;
  block.cavities.push_back(std::move(cavity));
  physics::Pose X = poseOf(axis);
  X.p = pointOnAxis(group.axis, hole.mouth) - half * axis.z;
  return {std::move(block), X};
}

}  // namespace

BoundarySurfaces boundarySurfaces(const RecognitionInput& input, BoreRule rule) {
  return SurfaceFinder(input, rule).find();
}

std::vector<ExactChain> holesAndShafts(const RecognitionInput& input) {
  std::vector<ExactChain> found;
  for (int g = 0; g < static_cast<int>(input.groups.size()); ++g) {
    const RevolvedGroup& group = input.groups[static_cast<std::size_t>(g)];
    for (int c = 0; c < static_cast<int>(group.chains.size()); ++c) {
      const ProfileChain& chain = chainOf(input, g, c);
      ExactChain exact;
      exact.group = g;
      exact.chain = c;
      if (const auto hole = holeProfile(group, chain)) {
        exact.shape = carrierOf(group, *hole);
      } else {
        const auto ends = [](ChainEnd end) { return end == ChainEnd::axis || end == ChainEnd::face; };
        if (chain.isInner || !ends(chain.begin) || !ends(chain.end)) continue;
        physics::SolidOfRevolution solid{solidProfile(chain)};
        if (problemWith(solid)) continue;
        exact.shape = {std::move(solid), poseOf(group.axis)};
      }
      found.push_back(std::move(exact));
    }
  }
  return found;
}

}  // namespace tenon::content
