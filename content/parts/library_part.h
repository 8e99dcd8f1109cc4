// A part of the library: what collides, what it weighs, where it is gripped by name, and what it looks like.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "content/parts/display_mesh.h"
#include "physics/body/mass_properties.h"

namespace tenon::content {

struct LibraryPart {
  std::string name;         ///< "ISO 4762 M8x30", "flange"
  std::string description;  ///< what it is, in words
  physics::Shape shape;     ///< what collides
  /// At a density of 1 kg/m³; threads and sockets, which do not collide, are cut out of it.
  physics::MassProperties unitDensityMass;
  std::vector<AxisFeature> features;
  /// Draws it: smooth, threads as rings. Empty: its shape is all there is to see.
  std::function<DisplayMesh()> buildDisplayMesh;
};

/// What the part looks like.
DisplayMesh displayMeshOf(const LibraryPart& part);

/// The same properties at another density [kg/m³].
physics::MassProperties withDensity(physics::MassProperties unitDensityMass, double density);

}  // namespace tenon::content
