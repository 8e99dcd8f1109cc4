// See tapped_shapes.h.
#include "content/parts/tapped_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "content/input/wording.h"
#include "content/mesh/position_text.h"
#include "content/mesh/self_intersections.h"
#include "content/parts/tapped_boundary.h"
#include "content/parts/tapped_wall.h"
#include "content/recognize/smooth_regions.h"
#include "physics/collision/brep/triangle_solid.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::kProfileTolerance;
using physics::MassProperties;
using physics::PlacedShape;
using physics::Pose;
using physics::Shape;
using physics::SolidOfRevolution;

PlacedShape teethOf(const physics::Thread& thread, const Pose& X) {
  SolidOfRevolution teeth = physics::threadedSolid(thread);
  teeth.hole.clear();
  return {std::move(teeth), X};
}

/// A ring or a solid of revolution whose hole has another profile.
SolidOfRevolution withHole(const SolidOfRevolution& solid, const HoleSite& given, const HoleProfile& wall) {
  const auto& p = solid.profile;
  const double mouth = given.X_PH.p.z();
  SolidOfRevolution result = solid;
  result.profile.clear();
  auto& q = result.profile;
  if (physics::isRing(solid)) {
    // The outline without the hole, from the lower mouth up to the upper one, then down the wall.
    const std::size_t n = p.size() - 1;
    const auto indexOf = [&](const Vector2d& inWall) {
      std::size_t k = 0;
      while (k < n && (p[k] - Vector2d(inWall.x() + mouth, inWall.y())).norm() > kProfileTolerance) ++k;
      return k % n;
    };
    const std::size_t last = indexOf(given.profile.front());
    for (std::size_t k = (indexOf(given.profile.back()) + 1) % n; k != last; k = (k + 1) % n)
      q.push_back(p[k]);
    for (const Vector2d& w : wall) q.emplace_back(mouth + w.x(), w.y());
    q.push_back(q.front());
  } else if (given.opensDown()) {
    for (auto w = wall.rbegin(); w != wall.rend(); ++w) q.emplace_back(mouth - w->x(), w->y());
    q.insert(q.end(), p.begin() + static_cast<std::ptrdiff_t>(recessesOf(solid).first) + 1, p.end());
  } else {
    q.assign(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(recessesOf(solid).last));
    for (const Vector2d& w : wall) q.emplace_back(mouth + w.x(), w.y());
  }
  return result;
}

/// The profile of a through hole as seen from its other mouth.
HoleProfile fromFarSide(const HoleProfile& profile) {
  HoleProfile result;
  for (auto p = profile.rbegin(); p != profile.rend(); ++p)
    result.emplace_back(profile.back().x() - p->x(), p->y());
  return result;
}

/// The solid that fills a hole, at 1 kg/m³.
MassProperties massOfHole(const HoleProfile& profile) {
  SolidOfRevolution solid;
  const auto add = [&](const Vector2d& p) {
    if (solid.profile.empty() || (p - solid.profile.back()).norm() > kProfileTolerance)
      solid.profile.push_back(p);
  };
  add({profile.back().x(), 0});
  for (auto p = profile.rbegin(); p != profile.rend(); ++p) add(*p);
  add({profile.front().x(), 0});
  return physics::massProperties(solid, 1);
}

MassProperties withoutMass(const MassProperties& whole, const MassProperties& removed) {
  return physics::combined(whole, {-removed.mass, removed.center, -removed.inertia});
}

/// Gives the hole of one shape its new wall; false if it has no such hole. `hole` is in its frame.
bool setWall(const JsonCursor& at, const HoleSite& hole, const TappedWall& wall, Shape& shape) {
  const auto isThere = [&] {
    const auto sites = holesOf(shape);
    return std::find_if(sites.begin(), sites.end(),
                        [&](const HoleSite& site) { return site.name == hole.hole(); }) != sites.end();
  };
  if (!isThere()) return false;
  const bool isFar = !hole.farSideOf.empty();
  const HoleProfile profile = isFar ? fromFarSide(wall.profile) : wall.profile;
  if (auto* block = std::get_if<physics::BlockWithHoles>(&shape)) {
    for (physics::Cavity& cavity : block->cavities)
      if (cavity.name == hole.hole()) cavity.profile = profile;
  } else if (auto* turned = std::get_if<SolidOfRevolution>(&shape)) {
    *turned = withHole(*turned, mouthOf(shape, hole.hole()).value(), profile);
  } else if (auto* solid = std::get_if<physics::BoundarySolid>(&shape)) {
    for (physics::Cavity& cavity : solid->holes)
      if (cavity.name == hole.hole()) cavity.profile = profile;
    const std::string problem = widenBoundary(wall, hole.X_PH, *solid);
    if (!problem.empty())
      at.fail(fmt::format("cannot be cut into hole {}: {}", inQuotes(hole.name), problem),
              "cut the thread in CAD, where its faces show what is meant, or change the hole");
  } else {
    return false;
  }
  return true;
}

std::string problemOfBoundary(const physics::BoundarySolid& solid) {
  try {
    if (!physics::brep::flatSurfacesOf(solid).empty()) return "its wall meets other faces";
  } catch (const std::invalid_argument& error) {
    return fmt::format("its wall meets other faces: {}", error.what());
  }
  const RepairedMesh mesh = repairMesh({solid.vertices, solid.triangles});
  const SelfIntersections crossings = findSelfIntersections(mesh, surfaceTolerance(mesh.extent));
  if (crossings.exist()) return "its wall meets other faces at " + positionText(crossings.position);
  return "";
}

}  // namespace

PlacedShape tapCavity(const JsonCursor& at, const ThreadRequest& request, const std::optional<double>& depth,
                      physics::Cavity& cavity) {
  TappedWall wall = tappedWall(at, request, cavity.profile, depth);
  cavity.profile = std::move(wall.profile);
  return teethOf(wall.thread, cavity.X_BH);
}

physics::Compound tapRing(const JsonCursor& at, const ThreadRequest& request, const SolidOfRevolution& ring) {
  const HoleSite hole = holesOf(ring).front();
  TappedWall wall = tappedWall(at, request, hole.profile, {});
  wall.thread.low += hole.X_PH.p.z();
  wall.thread.high += hole.X_PH.p.z();
  SolidOfRevolution body = withHole(ring, hole, wall.profile);
  if (const auto problem = physics::problemWith(body))
    at.fail(fmt::format("leaves no valid shape beside {}: {}", request.designation, *problem),
            "move it, or change the profile of the part");
  return {{{std::move(body), Pose()}, teethOf(wall.thread, Pose())}};
}

void tapHole(const JsonCursor& at, const ThreadRequest& request, const std::optional<double>& depth,
             const HoleSite& hole, Shape& shape, MassProperties& solid) {
  if (!hole.isRound)
    at.fail(fmt::format("is given for hole {}, whose wall is not round everywhere", inQuotes(hole.name)),
            "cut the thread in CAD");
  const TappedWall wall = tappedWall(at, request, hole.profile, depth);
  auto* compound = std::get_if<physics::Compound>(&shape);
  if (compound == nullptr) {
    shape = physics::Compound{{{std::move(shape), Pose()}}};
    compound = std::get_if<physics::Compound>(&shape);
  }
  [[maybe_unused]] const bool isFound =
      std::any_of(compound->children.begin(), compound->children.end(), [&](PlacedShape& child) {
        HoleSite local = hole;
        local.X_PH = child.X_PS.inverse() * hole.X_PH;
        return setWall(at, local, wall, child.shape);
      });
  assert(isFound);
  PlacedShape teeth = teethOf(wall.thread, hole.X_PH);
  if (solid.mass > 0) {
    const auto placed = [&](const MassProperties& m) { return physics::transformed(m, hole.X_PH); };
    solid = physics::combined(solid, placed(massOfHole(hole.profile)));
    solid = withoutMass(solid, placed(massOfHole(wall.profile)));
    solid = physics::combined(solid, placed(physics::massProperties(teeth.shape, 1)));
  }
  compound->children.push_back(std::move(teeth));
}

std::string problemOfTapped(const Shape& shape) {
  if (const auto* turned = std::get_if<SolidOfRevolution>(&shape))
    return physics::problemWith(*turned).value_or("");
  if (const auto* block = std::get_if<physics::BlockWithHoles>(&shape))
    return physics::problemWith(*block).value_or("");
  if (const auto* solid = std::get_if<physics::BoundarySolid>(&shape)) return problemOfBoundary(*solid);
  if (const auto* compound = std::get_if<physics::Compound>(&shape))
    for (const PlacedShape& child : compound->children)
      if (std::string problem = problemOfTapped(child.shape); !problem.empty()) return problem;
  return "";
}

}  // namespace tenon::content
