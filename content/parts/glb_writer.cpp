// See glb_writer.h. Uses tinygltf.
#include "content/parts/glb_writer.h"

#include <tiny_gltf.h>

#include <cstring>
#include <numbers>
#include <sstream>
#include <stdexcept>

namespace tenon::content {
namespace {

constexpr int kNoTarget = 0;  ///< target of a buffer view that is not vertex data

int componentsOf(int type) {
  return type == TINYGLTF_TYPE_SCALAR ? 1 : type == TINYGLTF_TYPE_VEC3 ? 3 : 4;
}

/// Appends values to the model's only buffer with a view and an accessor; returns the index of the accessor.
template <class Value>
int append(tinygltf::Model& model, const std::vector<Value>& values, int type, int target,
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
  accessor.count = values.size() / static_cast<std::size_t>(componentsOf(type));
  accessor.type = type;
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
  return append(model, floats(points), TINYGLTF_TYPE_VEC3, TINYGLTF_TARGET_ARRAY_BUFFER,
                TINYGLTF_COMPONENT_TYPE_FLOAT);
}

/// Adds the bounds of the positions, which glTF requires.
void addBounds(const DisplayMesh& mesh, tinygltf::Accessor& accessor) {
  Eigen::AlignedBox3f box;
  for (const Vector3d& p : mesh.positions) box.extend(p.cast<float>());
  for (int k = 0; k < 3; ++k) {
    accessor.minValues.push_back(static_cast<double>(box.min()[k]));
    accessor.maxValues.push_back(static_cast<double>(box.max()[k]));
  }
}

std::vector<double> xyzw(const physics::Quaterniond& q) {
  return {q.x(), q.y(), q.z(), q.w()};
}

}  // namespace

struct GlbWriter::Implementation {
  tinygltf::Model model;
  tinygltf::Node root;
  tinygltf::Animation animation;

  void addChannel(int node, const char* path, int times, int values) {
    tinygltf::AnimationSampler sampler;
    sampler.input = times;
    sampler.output = values;
    sampler.interpolation = "LINEAR";
    animation.samplers.push_back(sampler);
    tinygltf::AnimationChannel channel;
    channel.sampler = static_cast<int>(animation.samplers.size()) - 1;
    channel.target_node = node;
    channel.target_path = path;
    animation.channels.push_back(channel);
  }

  void addMotion(int node, const GlbAnimation& motion) {
    std::vector<float> times, rotations;
    std::vector<Vector3d> positions;
    for (const double t : motion.times) times.push_back(static_cast<float>(t));
    for (const Pose& X : motion.poses) {
      positions.push_back(X.p);
      for (const double x : xyzw(X.q)) rotations.push_back(static_cast<float>(x));
    }
    const int input = append(model, times, TINYGLTF_TYPE_SCALAR, kNoTarget, TINYGLTF_COMPONENT_TYPE_FLOAT);
    model.accessors.back().minValues = {static_cast<double>(times.front())};
    model.accessors.back().maxValues = {static_cast<double>(times.back())};
    addChannel(
        node, "translation", input,
        append(model, floats(positions), TINYGLTF_TYPE_VEC3, kNoTarget, TINYGLTF_COMPONENT_TYPE_FLOAT));
    addChannel(node, "rotation", input,
               append(model, rotations, TINYGLTF_TYPE_VEC4, kNoTarget, TINYGLTF_COMPONENT_TYPE_FLOAT));
  }
};

GlbWriter::GlbWriter() : implementation_(std::make_unique<Implementation>()) {
  tinygltf::Model& model = implementation_->model;
  model.asset.version = "2.0";
  model.asset.generator = "tenon";
  model.buffers.emplace_back();
}

GlbWriter::~GlbWriter() = default;

int GlbWriter::addMesh(const DisplayMesh& mesh, const std::string& name, const GlbMaterial& material) {
  tinygltf::Model& model = implementation_->model;
  tinygltf::Primitive primitive;
  primitive.mode = TINYGLTF_MODE_TRIANGLES;
  primitive.material = static_cast<int>(model.materials.size());
  primitive.attributes["POSITION"] = appendPoints(model, mesh.positions);
  addBounds(mesh, model.accessors.back());
  primitive.attributes["NORMAL"] = appendPoints(model, mesh.normals);
  std::vector<std::uint32_t> corners;
  for (const auto& t : mesh.triangles) corners.insert(corners.end(), t.begin(), t.end());
  primitive.indices = append(model, corners, TINYGLTF_TYPE_SCALAR, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER,
                             TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT);

  tinygltf::Material gltfMaterial;
  gltfMaterial.name = material.name;
  gltfMaterial.pbrMetallicRoughness.baseColorFactor = {material.color[0], material.color[1],
                                                       material.color[2], material.opacity};
  gltfMaterial.pbrMetallicRoughness.metallicFactor = material.metallic;
  gltfMaterial.pbrMetallicRoughness.roughnessFactor = material.roughness;
  if (material.opacity < 1) gltfMaterial.alphaMode = "BLEND";
  model.materials.push_back(gltfMaterial);
  tinygltf::Mesh solid;
  solid.name = name;
  solid.primitives.push_back(primitive);
  model.meshes.push_back(solid);
  return static_cast<int>(model.meshes.size()) - 1;
}

void GlbWriter::addPart(const std::string& name, int mesh, const Pose& X_W, const GlbAnimation& motion) {
  tinygltf::Model& model = implementation_->model;
  tinygltf::Node node;
  node.name = name;
  node.mesh = mesh;
  node.translation = {X_W.p.x(), X_W.p.y(), X_W.p.z()};
  node.rotation = xyzw(X_W.q);
  const int index = static_cast<int>(model.nodes.size());
  model.nodes.push_back(node);
  implementation_->root.children.push_back(index);
  if (motion.times.size() > 1) implementation_->addMotion(index, motion);
}

std::string GlbWriter::bytes() {
  tinygltf::Model model = implementation_->model;
  tinygltf::Node root = implementation_->root;
  root.name = "z up";
  constexpr double h = std::numbers::sqrt2 / 2;
  root.rotation = {-h, 0, 0, h};
  model.nodes.push_back(root);
  tinygltf::Scene scene;
  scene.nodes = {static_cast<int>(model.nodes.size()) - 1};
  model.scenes.push_back(scene);
  model.defaultScene = 0;
  if (!implementation_->animation.channels.empty()) {
    model.animations.push_back(implementation_->animation);
    model.animations.back().name = "session";
  }
  std::ostringstream stream;
  if (!tinygltf::TinyGLTF().WriteGltfSceneToStream(&model, stream, false, true))
    throw std::runtime_error("tinygltf cannot write this scene");
  return stream.str();
}

}  // namespace tenon::content
