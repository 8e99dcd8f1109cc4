// Parses mesh files of all supported formats.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "content/input/file_source.h"
#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

enum class MeshFormat { obj, stl, gltf };

/// The format by file extension, case-insensitive; empty unless .obj, .stl, .gltf or .glb.
std::optional<MeshFormat> meshFormatOf(const std::string& file);

/// True if the format defines the unit: glTF uses meters; OBJ and STL have no unit.
bool definesUnit(MeshFormat format);

/// The triangles in `bytes`, the content of `file`, in the unit of the file. `files`: source of the separate
/// buffers of glTF. Throws InputError if the content is invalid or has no triangle.
TriangleMesh parseMesh(std::string_view bytes, MeshFormat format, const std::string& file, FileSource& files);

}  // namespace tenon::content
