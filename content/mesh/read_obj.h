// Reads vertices and faces of Wavefront OBJ.
#pragma once

#include <string>
#include <string_view>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// All faces of all groups, in the unit of the file, which OBJ does not define; colors, normals and textures
/// are ignored. Own code, because assimp returns floats and tinyobjloader accepts "nan" as 0 and incomplete
/// vertices. Throws InputError with the line. Cost: one pass.
TriangleMesh parseObj(std::string_view text, const std::string& file);

}  // namespace tenon::content
