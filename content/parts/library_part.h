// A library part: collision shape, mass, features and display mesh.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "content/parts/display_mesh.h"
#include "physics/body/mass_properties.h"

namespace tenon::content {

struct LibraryPart {
  std::string name;         ///< "ISO 4762 M8x30", "flange"
  std::string description;  ///< "hexagon nut"
  physics::Shape shape;     ///< for collision
  /// At a density of 1 kg/m³; with grooves of threads and with sockets, which `shape` does not have.
  physics::MassProperties unitDensityMass;
  std::vector<AxisFeature> features;
  std::vector<Hexagon> hexagons;  ///< of screws and nuts
  std::optional<Driver> driver;   ///< of drivers
  /// Builds the display mesh, smooth. Empty: `shape` is displayed.
  std::function<DisplayMesh()> buildDisplayMesh;
};

/// The display mesh of the part.
DisplayMesh displayMeshOf(const LibraryPart& part);

/// The same properties at another density [kg/m³].
physics::MassProperties withDensity(physics::MassProperties unitDensityMass, double density);

}  // namespace tenon::content
