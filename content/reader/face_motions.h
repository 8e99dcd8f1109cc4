// How the surfaces of a solid move where some of its faces are offset.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "content/reader/face_topology.h"

namespace tenon::content {

/// Motion of a surface.
struct FaceMotion {
  Vector3d shift = Vector3d::Zero();  ///< of its frame [m]
  double radius = 0;  ///< change of its radius, of a torus that of the tube; of a plane nothing [m]
  double ring = 0;    ///< change of the radius of a torus's circle [m]

  bool isNone() const { return shift.isZero(0) && radius == 0 && ring == 0; }
};

/// The surface after its motion.
physics::Surface moved(const physics::Surface& surface, const FaceMotion& motion);

/// Faces that are moved along their outward normals.
struct FaceOffset {
  std::vector<int> triangles;  ///< of the solid; their whole faces move
  double by = 0;               ///< along the outward normal [m]
};

/// Why faces cannot be moved: "a free-form face is among them", and a place there.
struct OffsetProblem {
  std::string problem;
  Vector3d place = Vector3d::Zero();  ///< [m, frame of the solid]
};

/// The motion of each face. Planes, cylinders, cones, spheres and tori are offset. Curved faces that continue
/// these smoothly follow, so that they stay tangent to all neighbors:
/// - a rounding among the offset faces, between planes of these, changes its radius by the mean of their
///   offsets, and its axis moves;
/// - others keep their radius and move, tori also change the radius of their circle;
/// - where that leaves no tangent surfaces, their radii change, too, and where that does not suffice,
///   planes that continue them move along their normals.
/// Throws OffsetProblem for free-form faces among the offset ones, and where no such motion exists.
std::vector<FaceMotion> faceMotions(const physics::BoundarySolid& solid, const FaceTopology& faces,
                                    std::span<const FaceOffset> offsets);

/// True if a curved face continues a plane smoothly that is one of `marked`: the rounding of a corner.
bool isRounding(const physics::BoundarySolid& solid, const FaceTopology& faces, int face,
                const std::vector<char>& marked);

}  // namespace tenon::content
