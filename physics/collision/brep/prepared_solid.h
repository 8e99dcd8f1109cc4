// A closed surface with its solid, so that the solid is made once for all that need it.
#pragma once

#include <memory>
#include <vector>

#include "physics/collision/brep/solid.h"
#include "physics/collision/brep/triangle_solid.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::physics::brep {

struct PreparedSolid {
  BoundarySolid boundary;   ///< of which it is the solid, without its holes
  Solid solid;              ///< as of solidOf()
  std::vector<int> faceOf;  ///< see TrimmedTriangles::faceOf()
};

/// Makes the solid of `boundary` from its trims. Throws
/// std::invalid_argument as Solid::finish().
std::shared_ptr<const PreparedSolid> prepare(const BoundarySolid& boundary, TrimmedTriangles trimmed);

/// That of `boundary`, if it has been prepared and not been changed since; else a new one. Throws
/// std::invalid_argument as solidOfTriangles().
std::shared_ptr<const PreparedSolid> preparedSolidOf(const BoundarySolid& boundary);

/// As solidOf(), without a copy of a solid that has been prepared.
std::shared_ptr<const Solid> sharedSolidOf(const Shape& shape);

/// True if the solids of both are the same. The names of holes do not count.
bool isSameBoundary(const BoundarySolid& a, const BoundarySolid& b);

}  // namespace tenon::physics::brep
