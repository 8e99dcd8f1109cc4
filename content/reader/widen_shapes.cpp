// See widen_shapes.h.
#include "content/reader/widen_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <variant>
#include <vector>

#include "content/input/wording.h"
#include "content/model/hole_sites.h"
#include "physics/collision/brep/triangle_solid.h"
#include "physics/collision/geometry/cavity_separation.h"
#include "physics/collision/geometry/faceted_block.h"
#include "physics/collision/geometry/revolved_shapes.h"

namespace tenon::content {

namespace {

using Eigen::Vector2d;
using physics::Shape;
using physics::SolidOfRevolution;

/// Radii that differ by less are equal: rounding of decimal numbers [m].
constexpr double kEqualRadius = 1e-9;

bool isEqual(double a, double b) {
  return std::abs(a - b) < kEqualRadius;
}

/// Changes the radius of the profile's points at the nominal radius by `by` [m]. The neighboring points stay:
/// beyond one of them, a chamfer or a shoulder would become an undercut, so `edge` is set.
WidenResult widenProfile(std::vector<Vector2d>& profile, double nominal, double by) {
  WidenResult widened;
  for (std::size_t i = 1; i < profile.size(); ++i) {
    const double from = profile[i - 1].y(), to = profile[i].y();
    if (isEqual(from, nominal) == isEqual(to, nominal)) continue;
    const double edge = isEqual(from, nominal) ? to : from, limit = edge - nominal;
    if (limit > 0 ? by > limit - kEqualRadius : by < limit + kEqualRadius) widened.edge = edge;
  }
  for (Vector2d& p : profile) {
    if (!isEqual(p.y(), nominal)) continue;
    p.y() += by;
    widened.found = true;
  }
  return widened;
}

/// The same for the points from `begin` to before `end`.
WidenResult widenSegment(std::vector<Vector2d>& profile, std::size_t begin, std::size_t end, double nominal,
                         double by) {
  const auto at = [&](std::size_t i) { return profile.begin() + static_cast<std::ptrdiff_t>(i); };
  std::vector<Vector2d> segment(at(begin), at(end));
  const WidenResult widened = widenProfile(segment, nominal, by);
  std::copy(segment.begin(), segment.end(), at(begin));
  return widened;
}

/// The first triangle on a surface; empty if none is.
std::optional<std::size_t> triangleOn(const physics::BoundarySolid& solid, std::size_t surface) {
  const auto found = std::find(solid.surfaceOf.begin(), solid.surfaceOf.end(), static_cast<int>(surface));
  if (found == solid.surfaceOf.end()) return std::nullopt;
  return static_cast<std::size_t>(found - solid.surfaceOf.begin());
}

/// Fillets that continue the widened cylinders smoothly move with them, and stay tangent: those at a corner
/// of which a triangle of such a cylinder has one, too.
void moveFillets(const std::vector<char>& isWidened, double nominal, double by,
                 physics::BoundarySolid& solid) {
  std::vector<char> isCorner(solid.vertices.size(), 0), isNeighbor(solid.surfaces.size(), 0);
  const auto eachCorner = [&](auto&& take) {
    for (std::size_t t = 0; t < solid.surfaceOf.size(); ++t)
      if (const int s = solid.surfaceOf[t]; s >= 0)
        for (const int v : solid.triangles[t]) take(static_cast<std::size_t>(s), static_cast<std::size_t>(v));
  };
  eachCorner([&](std::size_t s, std::size_t v) {
    if (isWidened[s] != 0) isCorner[v] = 1;
  });
  eachCorner([&](std::size_t s, std::size_t v) {
    if (isCorner[v] != 0) isNeighbor[s] = 1;
  });
  for (std::size_t s = 0; s < solid.surfaces.size(); ++s) {
    physics::Surface& surface = solid.surfaces[s];
    if (isNeighbor[s] == 0) continue;
    const double reach = std::abs(surface.radius - nominal);
    if (surface.kind == physics::SurfaceKind::torus
            ? isEqual(reach, surface.minor)
            : surface.kind == physics::SurfaceKind::sphere && isEqual(reach, 0))
      surface.radius += by;
  }
}

/// Changes the radius of outer or inner cylinders of radius `nominal`; of inner ones only in the hole.
WidenResult widenCylinders(physics::BoundarySolid& solid, const physics::Cavity* hole, double nominal,
                           double by) {
  constexpr double kSameAxis = 1e-9;  // [m] and [-]
  WidenResult widened;
  std::vector<char> isWidened(solid.surfaces.size(), 0);
  for (std::size_t s = 0; s < solid.surfaces.size(); ++s) {
    physics::Surface& surface = solid.surfaces[s];
    if (surface.kind != physics::SurfaceKind::cylinder || !isEqual(surface.radius, nominal)) continue;
    const auto t = triangleOn(solid, s);
    if (!t) continue;
    const auto at = [&](std::size_t k) {
      return solid.vertices[static_cast<std::size_t>(solid.triangles[*t][k])];
    };
    const Eigen::Vector3d middle = (at(0) + at(1) + at(2)) / 3, out = (at(1) - at(0)).cross(at(2) - at(0));
    const Eigen::Vector3d fromAxis = surface.X_BS.inverse().point(middle);
    const bool isOuter = fromAxis.head<2>().dot((surface.X_BS.R.transpose() * out).head<2>()) > 0;
    if (isOuter == (hole != nullptr)) continue;
    if (hole != nullptr) {
      const Eigen::Vector3d axis = hole->X_BH.q * Eigen::Vector3d::UnitZ();
      const double depth = -axis.dot(middle - hole->X_BH.p);
      if (axis.cross(surface.X_BS.R.col(2)).norm() > kSameAxis ||
          axis.cross(surface.X_BS.p - hole->X_BH.p).norm() > kSameAxis || depth < 0 ||
          depth > -hole->profile.back().x())
        continue;
    }
    surface.radius += by;
    isWidened[s] = 1;
    widened.found = true;
  }
  if (widened.found && by != 0) moveFillets(isWidened, nominal, by, solid);
  return widened;
}

/// The problem of a block whose hole `name` has changed, if any. Other holes are checked only against this
/// one: checking all pairs takes long in a block whose holes all have fits.
std::optional<std::string> problemWithHole(const physics::BlockWithHoles& block, const std::string& name) {
  for (const physics::Cavity& cavity : block.cavities) {
    if (cavity.name != name) continue;
    if (auto problem = physics::problemWith(physics::BlockWithHoles{block.halfExtents, {cavity}}))
      return problem;
    for (const physics::Cavity& other : block.cavities)
      if (&other != &cavity && !physics::areDisjoint(cavity, other))
        return fmt::format("it meets hole {}", inQuotes(other.name));
  }
  return std::nullopt;
}

}  // namespace

WidenResult widenPart(Shape& shape, double nominal, double by) {
  WidenResult widened;
  if (auto* cylinder = std::get_if<physics::Cylinder>(&shape)) {
    if ((widened.found = isEqual(cylinder->radius, nominal))) cylinder->radius += by;
  } else if (auto* turned = std::get_if<SolidOfRevolution>(&shape)) {
    const auto isNominal = [&](const Vector2d& p) { return isEqual(p.y(), nominal); };
    const bool ring = physics::isRing(*turned);
    const auto inner = ring ? holesOf(shape).front().profile : std::vector<Vector2d>{};
    const bool isBore = std::any_of(inner.begin(), inner.end(), isNominal);
    const Recesses recesses = recessesOf(*turned);
    const auto& p = turned->profile;
    bool exists = false;
    for (std::size_t i = recesses.first + 1; i <= recesses.last && !isBore; ++i)
      exists = exists || (isNominal(p[i - 1]) && isNominal(p[i]));
    if (exists) widened = widenSegment(turned->profile, recesses.first, recesses.last + 1, nominal, by);
  } else if (auto* solid = std::get_if<physics::BoundarySolid>(&shape)) {
    widened = widenCylinders(*solid, nullptr, nominal, by);
  } else if (auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (physics::PlacedShape& child : compound->children) widened.add(widenPart(child.shape, nominal, by));
  }
  return widened;
}

WidenResult widenHole(Shape& shape, const std::string& name, double nominal, double by) {
  WidenResult widened;
  if (auto* block = std::get_if<physics::BlockWithHoles>(&shape)) {
    for (physics::Cavity& cavity : block->cavities)
      if (cavity.name == name) widened.add(widenProfile(cavity.profile, nominal, by));
  } else if (auto* holed = std::get_if<physics::FacetedBlock>(&shape)) {
    for (physics::RoundHole& hole : holed->holes) {
      if (hole.name != name) continue;
      hole.radius += by;
      widened.found = true;
    }
  } else if (auto* turned = std::get_if<SolidOfRevolution>(&shape)) {
    const Recesses recesses = recessesOf(*turned);
    const std::size_t size = turned->profile.size();
    if (turned->hole == name && (physics::isRing(*turned) || recesses.top))
      widened.add(widenSegment(turned->profile, recesses.top ? recesses.last : 0, size, nominal, by));
    if (turned->holeBelow == name && recesses.below)
      widened.add(widenSegment(turned->profile, 0, recesses.first + 1, nominal, by));
  } else if (auto* solid = std::get_if<physics::BoundarySolid>(&shape)) {
    for (physics::Cavity& hole : solid->holes) {
      if (hole.name != name) continue;
      const WidenResult walls = widenCylinders(*solid, &hole, nominal, by);
      if (!walls.found) continue;  // a wall of facets
      widened.add(walls);
      widened.add(widenProfile(hole.profile, nominal, by));
    }
  } else if (auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (physics::PlacedShape& child : compound->children)
      widened.add(widenHole(child.shape, name, nominal, by));
  }
  return widened;
}

std::optional<std::string> problemOfWidened(const Shape& shape, const std::string& name) {
  if (const auto* turned = std::get_if<SolidOfRevolution>(&shape)) return physics::problemWith(*turned);
  if (const auto* block = std::get_if<physics::BlockWithHoles>(&shape)) return problemWithHole(*block, name);
  if (const auto* holed = std::get_if<physics::FacetedBlock>(&shape)) return physics::problemWith(*holed);
  if (const auto* solid = std::get_if<physics::BoundarySolid>(&shape)) {
    if (!physics::brep::flatSurfacesOf(*solid).empty()) return "its faces no longer meet their neighbors";
  }
  if (const auto* compound = std::get_if<physics::Compound>(&shape))
    for (const physics::PlacedShape& child : compound->children)
      if (auto problem = problemOfWidened(child.shape, name)) return problem;
  return std::nullopt;
}

}  // namespace tenon::content
