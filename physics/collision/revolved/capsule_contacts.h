// Exact contacts of solids of revolution and blocks with holes with capsules.
#pragma once

#include <vector>

#include "physics/collision/revolved/revolved_contacts.h"

namespace tenon::physics {

/// A segment along z about the origin, grown by a radius. Features: its side, then the ends at −z and +z.
struct CapsuleGeometry {
  double radius = 0, halfLength = 0;  ///< [m], each > 0
  Meridian side;
};
CapsuleGeometry prepareCapsule(double radius, double halfLength);

/// As revolvedBlockContacts(); B is the capsule. Its ends are treated as spheres (sphere_contacts.h); its
/// side is searched against rims, straight edges, corners and convex round faces.
void revolvedCapsuleContacts(const RevolvedGeometry& a, const CapsuleGeometry& b, const Pose& X_BA,
                             double range, std::vector<SurfaceContact>& contacts);
void blockCapsuleContacts(const BlockGeometry& a, const CapsuleGeometry& b, const Pose& X_BA, double range,
                          std::vector<SurfaceContact>& contacts);

}  // namespace tenon::physics
