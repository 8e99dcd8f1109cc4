// glTF 2.0, as JSON (.gltf) and in binary (.glb): the triangles of its default scene.
#pragma once

#include <string>
#include <string_view>

#include "content/input/file_source.h"
#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// All triangles of the default scene, its nodes in place, in metres as glTF has them; positions are floats
/// there. Buffers may lie in the file's folder or below, and come from `files`; materials and textures are
/// left out, missing ones too. Read with tinygltf; every number that it hands on is checked here. Throws
/// InputError: what is no glTF, buffers that are missing or outside the folder, accessors beyond their
/// buffer, compressed meshes, JSON that nests deeper than kMaxNesting, and positions that are not finite.
TriangleMesh parseGltf(std::string_view bytes, const std::string& file, FileSource& files);

}  // namespace tenon::content
