// Planes, cylinders, cones, spheres and tori that a file writes as another surface.
#pragma once

#include <BRepAdaptor_Surface.hxx>

#include "content/recognize/cad_surfaces.h"

namespace tenon::content {

/// The plane, cylinder, cone, sphere or torus that a face's surface is, found from samples of its points and
/// normals and proven on them to kCanonicalDeviation; else of kind `other`.
CadSurface canonicalSurface(const BRepAdaptor_Surface& surface);

/// Largest distance of samples of such a surface from its plane, cylinder, cone, sphere or torus [m].
inline constexpr double kCanonicalDeviation = 1e-7;

}  // namespace tenon::content
