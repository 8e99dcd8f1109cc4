// What is in a STEP file, as plain data in metres: nothing of the library that read it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "content/mesh/triangle_mesh.h"
#include "content/recognize/cad_surfaces.h"
#include "physics/math/pose.h"

namespace tenon::content {

/// sRGB, 0…1.
using StepColor = std::array<double, 3>;

/// Something with a shape of its own: a single part, however often it is used.
struct StepProduct {
  std::string name;  ///< as in the file, with a number behind it where another product has it already
  std::optional<StepColor> color;
  std::string material;  ///< "": none is given
  double density = 0;    ///< of the material [kg/m³]; 0: none is given
  TriangleMesh mesh;     ///< in the product's own frame [m]
  CadFaces faces;
};

/// A product at its place in the assembly.
struct StepInstance {
  std::string name;  ///< its own, or its product's
  int product = -1;
  physics::Pose X_AP;  ///< of the product in the assembly [m]
  std::optional<StepColor> color;
};

struct StepModel {
  std::string title;  ///< of the assembly, or the only part
  std::string unit;   ///< of the file's lengths: "mm", "m", "in", or as the file calls it
  std::vector<StepProduct> products;
  std::vector<StepInstance> instances;
};

}  // namespace tenon::content
