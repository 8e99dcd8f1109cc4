// Volume and mass properties of a closed mesh.
#pragma once

#include "content/mesh/triangle_mesh.h"
#include "physics/body/mass_properties.h"

namespace tenon::content {

/// Volume of a closed mesh [m³]; negative if its triangles face inwards.
double volumeOf(const TriangleMesh& mesh);

/// Mass properties of the solid in a closed mesh at uniform `density` [kg/m³], by the divergence theorem,
/// exact for flat facets (Eberly, Polyhedral Mass Properties, 2002). The result is meaningless for an open
/// mesh: check MeshReport::isClosed() first.
physics::MassProperties massOf(const TriangleMesh& mesh, double density);

}  // namespace tenon::content
