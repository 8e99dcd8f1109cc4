// Contacts of bored blocks with convex polytopes and with each other: exact pure geometry.
#pragma once

#include <vector>

#include "physics/collision/turned/turned_contacts.h"
#include "physics/collision/turned/turned_polytope.h"

namespace tenon::physics {

/// As turnedBlockContacts(). Points are corners of either in the other; straight edges where they cross
/// others; and the rims of the cavities, as edge circles of turned parts are.
void blockPolytopeContacts(const BoredBlockGeometry& a, const PolytopeGeometry& b, const Pose& X_BA,
                           double range, std::vector<SurfaceContact>& contacts);
void blockBlockContacts(const BoredBlockGeometry& a, const BoredBlockGeometry& b, const Pose& X_BA,
                        double range, std::vector<SurfaceContact>& contacts);

}  // namespace tenon::physics
