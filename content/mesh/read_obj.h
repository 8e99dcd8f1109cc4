// Wavefront OBJ: the vertices and faces of it.
#pragma once

#include <string>
#include <string_view>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// All faces of all groups, in the file's unit, which OBJ does not name; colours, normals and textures are
/// left out. Written here because libraries that read it give floats (assimp), or take "nan" for 0 and half
/// a vertex for a whole one (tinyobjloader). Throws InputError with the line. Cost: one pass.
TriangleMesh parseObj(std::string_view text, const std::string& file);

}  // namespace tenon::content
