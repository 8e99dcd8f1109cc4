// Faces that OpenCASCADE cannot triangulate: those without area, and what is wrong with the others.
#pragma once

#include <TopoDS_Face.hxx>

#include <optional>
#include <string>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::content {

/// Largest width of a face without area [mm]. Cracks as wide between its neighbors are closed, of parts above
/// 1 mm (content/mesh/repair_mesh.h).
inline constexpr double kEmptyFaceWidth = 1e-3;

/// True if all edges of a face coincide with others of it, within kEmptyFaceWidth: it encloses nothing. Seams
/// do not count: a face with one goes all around.
bool hasNoArea(const TopoDS_Face& face);

/// The middle of the bounds of the edges of a face [m]; none if it has no edges with a curve.
std::optional<physics::Vector3d> middleOfBorder(const TopoDS_Face& face);

/// ", at (1, 2, 3) mm (its border is not closed), …": where the first of these faces are, and why they have
/// no triangles; "" if they have no place.
std::string placesOf(const std::vector<TopoDS_Face>& faces);

}  // namespace tenon::content
