// Display meshes as files: see write_mesh.h.
#include "content/parts/write_mesh.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <cstring>
#include <numbers>
#include <sstream>
#include <stdexcept>

namespace tenon::content {
namespace {

/// Appends `count` values to the model's one buffer as a view and an accessor; the accessor's index.
template <class Value>
int append(tinygltf::Model& model, const std::vector<Value>& values, int components, int target,
           int componentType) {
  std::vector<unsigned char>& bytes = model.buffers[0].data;
  tinygltf::BufferView view;
  view.buffer = 0;
  view.byteOffset = bytes.size();
  view.byteLength = values.size() * sizeof(Value);
  view.target = target;
  bytes.resize(bytes.size() + view.byteLength);
  std::memcpy(bytes.data() + view.byteOffset, values.data(), view.byteLength);
  model.bufferViews.push_back(view);
  tinygltf::Accessor accessor;
  accessor.bufferView = static_cast<int>(model.bufferViews.size()) - 1;
  accessor.componentType = componentType;
  accessor.count = values.size() / static_cast<std::size_t>(components);
  accessor.type = components == 1 ? TINYGLTF_TYPE_SCALAR : TINYGLTF_TYPE_VEC3;
  model.accessors.push_back(accessor);
  return static_cast<int>(model.accessors.size()) - 1;
}

std::vector<float> floats(const std::vector<Vector3d>& points) {
  std::vector<float> values;
  values.reserve(3 * points.size());
  for (const Vector3d& p : points)
    for (int k = 0; k < 3; ++k) values.push_back(static_cast<float>(p[k]));
  return values;
}

int appendPoints(tinygltf::Model& model, const std::vector<Vector3d>& points) {
  return append(model, floats(points), 3, TINYGLTF_TARGET_ARRAY_BUFFER, TINYGLTF_COMPONENT_TYPE_FLOAT);
}

/// Bounds of the positions, which glTF demands.
void addBounds(const DisplayMesh& mesh, tinygltf::Accessor& accessor) {
  Eigen::AlignedBox3f box;
  for (const Vector3d& p : mesh.positions) box.extend(p.cast<float>());
  for (int k = 0; k < 3; ++k) {
    accessor.minValues.push_back(static_cast<double>(box.min()[k]));
    accessor.maxValues.push_back(static_cast<double>(box.max()[k]));
  }
}

}  // namespace

std::string glbOf(const DisplayMesh& mesh, const std::string& name, const std::array<double, 3>& colour) {
  tinygltf::Model model;
  model.asset.version = "2.0";
  model.asset.generator = "tenon";
  model.buffers.emplace_back();
  tinygltf::Primitive primitive;
  primitive.mode = TINYGLTF_MODE_TRIANGLES;
  primitive.material = 0;
  primitive.attributes["POSITION"] = appendPoints(model, mesh.positions);
  addBounds(mesh, model.accessors.back());
  primitive.attributes["NORMAL"] = appendPoints(model, mesh.normals);
  std::vector<std::uint32_t> corners;
  for (const auto& t : mesh.triangles) corners.insert(corners.end(), t.begin(), t.end());
  primitive.indices =
      append(model, corners, 1, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT);

  tinygltf::Material material;
  material.name = "steel";
  material.pbrMetallicRoughness.baseColorFactor = {colour[0], colour[1], colour[2], 1};
  material.pbrMetallicRoughness.metallicFactor = 0.9;
  material.pbrMetallicRoughness.roughnessFactor = 0.4;
  model.materials.push_back(material);
  tinygltf::Mesh solid;
  solid.name = name;
  solid.primitives.push_back(primitive);
  model.meshes.push_back(solid);
  tinygltf::Node node;
  node.name = name;
  node.mesh = 0;
  constexpr double h = std::numbers::sqrt2 / 2;
  node.rotation = {-h, 0, 0, h};  // z up to y up
  model.nodes.push_back(node);
  tinygltf::Scene scene;
  scene.nodes = {0};
  model.scenes.push_back(scene);
  model.defaultScene = 0;

  std::ostringstream stream;
  if (!tinygltf::TinyGLTF().WriteGltfSceneToStream(&model, stream, false, true))
    throw std::runtime_error("tinygltf cannot write " + name);
  return stream.str();
}

std::string objOf(const DisplayMesh& mesh, const std::string& name) {
  std::string text = fmt::format("# {}, in metres, z up; written by tenon\no {}\n", name, name);
  auto out = std::back_inserter(text);
  for (const Vector3d& p : mesh.positions) fmt::format_to(out, "v {} {} {}\n", p.x(), p.y(), p.z());
  for (const Vector3d& n : mesh.normals) fmt::format_to(out, "vn {} {} {}\n", n.x(), n.y(), n.z());
  for (const auto& t : mesh.triangles)
    fmt::format_to(out, "f {0}//{0} {1}//{1} {2}//{2}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

}  // namespace tenon::content
