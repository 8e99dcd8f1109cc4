// Exact contacts of blocks with holes with convex polytopes and with each other.
#pragma once

#include <vector>

#include "physics/collision/revolved/revolved_contacts.h"
#include "physics/collision/revolved/revolved_polytope.h"

namespace tenon::physics {

/// As revolvedBlockContacts(). Contact points: corners of either solid, crossings of straight edges, and the
/// rims of the cavities, treated as edge circles of solids of revolution.
void blockPolytopeContacts(const BlockGeometry& a, const PolytopeGeometry& b, const Pose& X_BA, double range,
                           std::vector<SurfaceContact>& contacts);
void blockBlockContacts(const BlockGeometry& a, const BlockGeometry& b, const Pose& X_BA, double range,
                        std::vector<SurfaceContact>& contacts);

}  // namespace tenon::physics
