// Exact contacts of solids of revolution and blocks with holes with spheres and half-spaces, in closed form.
#pragma once

#include <vector>

#include "physics/collision/revolved/revolved_contacts.h"

namespace tenon::physics {

/// A sphere in the frame of the other solid [m].
struct PlacedSphere {
  Vector3d center = Vector3d::Zero();
  double radius = 0;
};

/// Append the contacts with δ ≤ range [m], ordered by feature, in B's frame and with normals from A into B. A
/// is the sphere, B the solid. Each face and edge that the sphere can touch adds its closest point; a wall or
/// an edge that surrounds the sphere also adds points at eight phases fixed in the solid.
void sphereRevolvedContacts(const PlacedSphere& a, const RevolvedGeometry& b, double range,
                            std::vector<SurfaceContact>& contacts);
void sphereBlockContacts(const PlacedSphere& a, const BlockGeometry& b, double range,
                         std::vector<SurfaceContact>& contacts);

/// Contacts of the corners of block A with B, the half-space z ≤ 0 of its frame.
void blockHalfSpaceContacts(const BlockGeometry& a, const Pose& X_BA, double range,
                            std::vector<SurfaceContact>& contacts);

}  // namespace tenon::physics
