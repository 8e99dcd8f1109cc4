// Contacts of turned solids and bored blocks with balls and half-spaces: exact, without a search.
#pragma once

#include <vector>

#include "physics/collision/revolved/revolved_contacts.h"

namespace tenon::physics {

/// A ball about `centre` (in the solid's frame) [m].
struct PlacedSphere {
  Vector3d center = Vector3d::Zero();
  double radius = 0;
};

/// Append the contacts with δ ≤ range [m], ordered by feature, in B's frame and with normals from A into B
/// (turned_contacts.h). A is the ball; B the solid. Each face and edge that it can touch gives the point
/// nearest to it; where a wall or an edge goes round the ball, also those at eight phases fixed in the solid.
void sphereRevolvedContacts(const PlacedSphere& a, const RevolvedGeometry& b, double range,
                            std::vector<SurfaceContact>& contacts);
void sphereBlockContacts(const PlacedSphere& a, const BlockGeometry& b, double range,
                         std::vector<SurfaceContact>& contacts);

/// A is the block; B is z ≤ 0 of its frame: the corners of the block.
void blockHalfSpaceContacts(const BlockGeometry& a, const Pose& X_BA, double range,
                            std::vector<SurfaceContact>& contacts);

}  // namespace tenon::physics
