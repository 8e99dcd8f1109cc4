// Exports meshes as GLB (glTF 2.0, binary), OBJ and STL.
#pragma once

#include <string>

#include "content/mesh/triangle_mesh.h"
#include "content/parts/display_mesh.h"

namespace tenon::content {

/// The bytes of a GLB file with one mesh of a color (linear red, green, blue, 0…1), in meters. A node rotates
/// the part from z up to glTF's y up.
std::string glbOf(const DisplayMesh& mesh, const std::string& name, const std::array<double, 3>& color);

/// The bytes of a binary STL file in millimeters, by convention: STL defines no unit. Coordinates are floats.
std::string stlOf(const TriangleMesh& mesh);

/// OBJ text with normals, in meters, z up, with enough digits to restore the same numbers.
std::string objOf(const DisplayMesh& mesh, const std::string& name);

}  // namespace tenon::content
