// Writes animated scenes as GLB (glTF 2.0, binary).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "content/parts/display_mesh.h"

namespace tenon::content {

/// Material of a mesh.
struct GlbMaterial {
  std::string name;
  std::array<double, 3> color{0.6, 0.6, 0.6};  ///< linear red, green, blue, 0…1
  double metallic = 0.9, roughness = 0.4;      ///< 0…1
  double opacity = 1;                          ///< 0…1
};

/// Poses at given times, with linear interpolation.
struct GlbAnimation {
  std::vector<double> times;  ///< ascending [s]
  std::vector<Pose> poses;    ///< one per time
};

/// Collects meshes and parts, and returns the bytes of the file, in meters. A root node rotates the scene
/// from z up to glTF's y up.
class GlbWriter {
 public:
  GlbWriter();
  ~GlbWriter();

  /// Adds a mesh that several parts can share; returns its index.
  int addMesh(const DisplayMesh& mesh, const std::string& name, const GlbMaterial& material);
  /// Adds a part at a pose. An animation of at least two times replaces the pose.
  void addPart(const std::string& name, int mesh, const Pose& X_W, const GlbAnimation& motion = {});
  /// Throws std::runtime_error if tinygltf fails.
  std::string bytes();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::content
