// What a closed mesh encloses.
#pragma once

#include "content/mesh/triangle_mesh.h"
#include "physics/body/mass_properties.h"

namespace tenon::content {

/// Volume [m³], of a closed mesh whose triangles face outwards; negative where they face inwards.
double volumeOf(const TriangleMesh& mesh);

/// Of the solid in a closed mesh at uniform `density` [kg/m³]: the divergence theorem over its triangles,
/// exact for flat facets (Eberly, Polyhedral Mass Properties, 2002). For an open mesh the result depends on
/// where its middle happens to be: ask MeshReport::isClosed() first.
physics::MassProperties massOf(const TriangleMesh& mesh, double density);

}  // namespace tenon::content
