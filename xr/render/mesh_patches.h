// A mesh as some tens of patches: bounds of the places where a shadow can fall on it. Without Vulkan.
#pragma once

#include <vector>

#include <Eigen/Geometry>

#include "xr/render/mesh.h"

namespace tenon::xr {

/// Triangles of a mesh that face about the same direction.
struct Patch {
  Eigen::AlignedBox3d box;                           ///< bounds in the mesh's frame [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, if all triangles share it; else 0
};

/// All triangles of a mesh in at most 96 patches. O(n log n) for n triangles.
std::vector<Patch> patchesOf(const Mesh& mesh);

}  // namespace tenon::xr
