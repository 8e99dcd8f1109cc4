// STL, as text and in binary.
#pragma once

#include <string>
#include <string_view>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// All facets of all solids, in the file's unit, which STL does not name; each has vertices of its own. Text
/// keeps all its digits, binary is what it is: floats. The normals that the file gives are left out: those of
/// the corners' order count. Throws InputError with line or byte. Cost: one pass.
TriangleMesh parseStl(std::string_view bytes, const std::string& file);

}  // namespace tenon::content
