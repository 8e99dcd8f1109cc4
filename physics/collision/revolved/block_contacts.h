// Contacts of bored blocks with convex polytopes and with each other: exact pure geometry.
#pragma once

#include <vector>

#include "physics/collision/revolved/revolved_contacts.h"
#include "physics/collision/revolved/revolved_polytope.h"

namespace tenon::physics {

/// As revolvedBlockContacts(). Points are corners of either in the other; straight edges where they cross
/// others; and the rims of the cavities, as edge circles of turned parts are.
void blockPolytopeContacts(const BlockGeometry& a, const PolytopeGeometry& b, const Pose& X_BA, double range,
                           std::vector<SurfaceContact>& contacts);
void blockBlockContacts(const BlockGeometry& a, const BlockGeometry& b, const Pose& X_BA, double range,
                        std::vector<SurfaceContact>& contacts);

}  // namespace tenon::physics
