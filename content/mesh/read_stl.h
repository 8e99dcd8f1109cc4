// Reads STL, text and binary.
#pragma once

#include <string>
#include <string_view>

#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// All facets of all solids, in the unit of the file, which STL does not define; each facet has its own
/// vertices. Text is read with all digits; binary has floats. The normals in the file are ignored; the order
/// of the vertices defines the side. Throws InputError with line or byte. Cost: one pass.
TriangleMesh parseStl(std::string_view bytes, const std::string& file);

}  // namespace tenon::content
