// Normals for drawing a triangle mesh.
#pragma once

#include "content/mesh/triangle_mesh.h"
#include "content/model/display_mesh.h"

namespace tenon::content {

/// The mesh with normals that are smooth where its triangles meet at less than `crease` [rad]: each corner
/// has the mean of the normals of the triangles at its vertex that differ from its own by less, weighted by
/// their areas. Triangles without area are left out.
DisplayMesh shadedMesh(const TriangleMesh& mesh, double crease);

}  // namespace tenon::content
