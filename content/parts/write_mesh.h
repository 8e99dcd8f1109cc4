// Display meshes as files for other programs: GLB (glTF 2.0, binary) and OBJ.
#pragma once

#include <string>

#include "content/parts/display_mesh.h"

namespace tenon::content {

/// A mesh with its name and its colour (linear red, green, blue, 0…1), as bytes of a file. glTF has +y up, so
/// that the node is turned: the part's z is up there too. In metres.
std::string glbOf(const DisplayMesh& mesh, const std::string& name, const std::array<double, 3>& color);

/// Text with normals, in metres, z up. Written with enough digits to give the same numbers again.
std::string objOf(const DisplayMesh& mesh, const std::string& name);

}  // namespace tenon::content
