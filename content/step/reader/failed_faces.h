// Faces that OpenCASCADE cannot triangulate: those without area, and what is wrong with the others.
#pragma once

#include <TopoDS_Face.hxx>

#include <string>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::content {

/// Largest width of a face without area [mm]. Cracks as wide between its neighbors are closed
/// (content/mesh/repair_mesh.h).
inline constexpr double kNoWidth = 1e-3;

/// True if all edges of a face run along others of its edges, within kNoWidth: it encloses nothing.
bool hasNoArea(const TopoDS_Face& face);

/// The middle of the bounds of the edges of a face [m].
physics::Vector3d middleOfBorder(const TopoDS_Face& face);

/// "at (1, 2, 3) mm (its border is not closed), …": where the first of these faces are, and why they have no
/// triangles.
std::string placesOf(const std::vector<TopoDS_Face>& faces);

}  // namespace tenon::content
