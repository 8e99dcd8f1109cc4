// Moves faces of a solid along their normals: clearance of parts that are not round.
#pragma once

#include <span>

#include "content/reader/face_motions.h"

namespace tenon::content {

/// Moves the faces to which these triangles belong along their outward normals; what continues them smoothly
/// follows (see faceMotions()). All other surfaces stay, and vertices move along them, on the shortest way:
/// borders are where the moved surfaces meet. Exact to rounding, planes stay planes. Round holes in
/// `solid.holes` whose walls change their radius get profiles of the new one; frames of holes and all else
/// stay. Planes whose degenerate triangles would turn over are divided into triangles again. Throws
/// OffsetProblem, and then changes nothing, for free-form faces, faces that cannot stay tangent, and where an
/// edge would vanish, a face turn over or cut into another one.
void offsetFaces(std::span<const FaceOffset> offsets, physics::BoundarySolid& solid);

}  // namespace tenon::content
