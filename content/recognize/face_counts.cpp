// See face_counts.h.
#include "content/recognize/face_counts.h"

#include <vector>

#include "physics/collision/brep/solid_of_shape.h"

namespace tenon::content {
namespace {

void countFace(physics::SurfaceKind kind, FaceCounts& counts) {
  switch (kind) {
    case physics::SurfaceKind::plane:
      ++counts.planes;
      return;
    case physics::SurfaceKind::cylinder:
      ++counts.cylinders;
      return;
    case physics::SurfaceKind::cone:
      ++counts.cones;
      return;
    case physics::SurfaceKind::sphere:
      ++counts.spheres;
      return;
    case physics::SurfaceKind::torus:
      ++counts.tori;
      return;
    case physics::SurfaceKind::freeform:
      ++counts.freeform;
      return;
  }
}

void countFaces(const physics::Shape& shape, FaceCounts& counts) {
  if (const auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (const physics::PlacedShape& child : compound->children) countFaces(child.shape, counts);
  } else if (const auto* boundary = std::get_if<physics::BoundarySolid>(&shape)) {
    std::vector<char> isUsed(boundary->surfaces.size(), 0);
    for (std::size_t t = 0; t < boundary->triangles.size(); ++t) {
      const int s = boundary->surfaceOf.empty() ? -1 : boundary->surfaceOf[t];
      if (s < 0)
        ++counts.facets;
      else
        isUsed[static_cast<std::size_t>(s)] = 1;
    }
    for (std::size_t s = 0; s < isUsed.size(); ++s)
      if (isUsed[s] != 0) countFace(boundary->surfaces[s].kind, counts);
  } else {
    for (const auto& face : physics::brep::solidOf(shape).faces) countFace(face.surface.kind, counts);
  }
}

}  // namespace

FaceCounts faceCountsOf(const physics::Shape& shape) {
  FaceCounts counts;
  countFaces(shape, counts);
  return counts;
}

}  // namespace tenon::content
