// A mesh file of any known format, in metres.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "content/input/file_source.h"
#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

enum class MeshFormat { obj, stl, gltf };

/// By the file's ending, capitals or not; nothing where it is none of .obj .stl .gltf .glb.
std::optional<MeshFormat> meshFormatOf(const std::string& file);

/// Whether files of this format say their unit: glTF is in metres, the others are in anything.
bool definesUnit(MeshFormat format);

/// The triangles in `bytes` of a file that is called `file`, in the file's unit. `files`: where glTF's
/// buffers come from, which lie beside it. Throws InputError where it cannot be read, or has no triangle.
TriangleMesh parseMesh(std::string_view bytes, MeshFormat format, const std::string& file, FileSource& files);

}  // namespace tenon::content
