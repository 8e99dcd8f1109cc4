// Reads glTF 2.0, as JSON (.gltf) and binary (.glb).
#pragma once

#include <string>
#include <string_view>

#include "content/input/file_source.h"
#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// All triangles of the default scene with the transforms of its nodes applied [m]; positions have the
/// precision of a float. Buffers are read from `files`, in the folder of `file` or below. Materials and
/// textures are ignored. Parsed by tinygltf; all its numbers are checked here. Throws InputError for text
/// that is not glTF, buffers that are missing or outside the folder, accessors beyond their buffer,
/// compressed meshes, JSON nested deeper than kMaxNesting, and positions that are not finite.
TriangleMesh parseGltf(std::string_view bytes, const std::string& file, FileSource& files);

}  // namespace tenon::content
