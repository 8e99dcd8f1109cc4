// See prepared_solid.h.
#include "physics/collision/brep/prepared_solid.h"

#include <algorithm>
#include <utility>

#include "physics/collision/brep/solid_of_shape.h"

namespace tenon::physics::brep {
namespace {

bool isSameSurface(const Surface& a, const Surface& b) {
  return a.kind == b.kind && a.X_BS.R == b.X_BS.R && a.X_BS.p == b.X_BS.p && a.radius == b.radius &&
         a.minor == b.minor && a.slope == b.slope && a.side == b.side && a.freeform == b.freeform &&
         a.patch == b.patch;
}

}  // namespace

bool isSameBoundary(const BoundarySolid& a, const BoundarySolid& b) {
  return a.vertices == b.vertices && a.triangles == b.triangles && a.surfaceOf == b.surfaceOf &&
         std::equal(a.surfaces.begin(), a.surfaces.end(), b.surfaces.begin(), b.surfaces.end(),
                    isSameSurface);
}

std::shared_ptr<const PreparedSolid> prepare(const BoundarySolid& boundary, TrimmedTriangles trimmed) {
  auto prepared = std::make_shared<PreparedSolid>();
  prepared->faceOf = trimmed.faceOf();
  prepared->solid = std::move(trimmed).finish(depthLimitOf(boundary));
  prepared->boundary = {boundary.vertices, boundary.triangles, boundary.surfaces, boundary.surfaceOf, {}, {}};
  return prepared;
}

std::shared_ptr<const PreparedSolid> preparedSolidOf(const BoundarySolid& boundary) {
  if (boundary.prepared && isSameBoundary(boundary.prepared->boundary, boundary)) return boundary.prepared;
  return prepare(boundary, TrimmedTriangles(boundary));
}

std::shared_ptr<const Solid> sharedSolidOf(const Shape& shape) {
  const auto* boundary = std::get_if<BoundarySolid>(&shape);
  if (boundary == nullptr) return std::make_shared<const Solid>(solidOf(shape));
  const auto prepared = preparedSolidOf(*boundary);
  return {prepared, &prepared->solid};
}

}  // namespace tenon::physics::brep
