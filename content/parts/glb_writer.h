// Scenes as GLB (glTF 2.0, binary), with parts that move: for any viewer.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "content/parts/display_mesh.h"

namespace tenon::content {

/// How a mesh looks there.
struct GlbMaterial {
  std::string name;
  std::array<double, 3> color{0.6, 0.6, 0.6};  ///< linear red, green, blue, 0…1
  double metallic = 0.9, roughness = 0.4;      ///< 0…1
  double opacity = 1;                          ///< 0…1
};

/// Where something is at given times; straight and at constant speed between them.
struct GlbAnimation {
  std::vector<double> times;  ///< ascending [s]
  std::vector<Pose> poses;    ///< one for each
};

/// Collects parts, and gives the bytes of the file. In metres. glTF has +y up, so that a node above all
/// others turns the scene: its z is up there too.
class GlbWriter {
 public:
  GlbWriter();
  ~GlbWriter();

  /// A mesh that add() can be given any number of times; its number.
  int addMesh(const DisplayMesh& mesh, const std::string& name, const GlbMaterial& material);
  /// A part at a pose. With a motion of two times or more it moves by that.
  void addPart(const std::string& name, int mesh, const Pose& X_W, const GlbAnimation& motion = {});
  /// Throws std::runtime_error where tinygltf cannot write it.
  std::string bytes();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::content
