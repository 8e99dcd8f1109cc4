// The content of a STEP file as plain data in meters, independent of OpenCASCADE.
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

/// Why a file or a product of it cannot be used.
struct StepProblem {
  std::string place;  ///< "#12", an entity of the file; or ""
  std::string problem, remedy;
};

/// A single part with its own shape; the assembly may use it several times. Mirror images are products of
/// their own.
struct StepProduct {
  std::string name;  ///< as in the file, with a number appended if another product has the same name
  std::optional<StepColor> color;
  std::string material;  ///< "": none
  double density = 0;    ///< of the material [kg/m³]; 0: none
  TriangleMesh mesh;     ///< in the product's own frame [m]
  CadFaces faces;
  std::vector<physics::Vector3d> emptyFaces;  ///< middles of faces without area, which are left out [m]
  std::optional<StepProblem> problem;         ///< why it cannot be used; then it has neither mesh nor faces
  bool hasFaces = true;                       ///< false for sketches and axes, which have no instances
};

/// An occurrence of a product in the assembly.
struct StepInstance {
  std::string name;  ///< its own name, or that of its product
  int product = -1;
  physics::Pose X_AP;  ///< of the product in the assembly [m]
  std::optional<StepColor> color;
};

struct StepModel {
  std::string title;  ///< name of the assembly, or of the only part
  std::string unit;   ///< of the lengths in the file: "mm", "m", "in", or the name in the file
  std::vector<StepProduct> products;
  std::vector<StepInstance> instances;
};

}  // namespace tenon::content
