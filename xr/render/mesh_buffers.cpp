// Each vertex is a position and a normal; triangles, edges and coarse triangles share the index buffer.
#include "xr/render/mesh_buffers.h"

#include <algorithm>
#include <cstring>

#include "xr/render/arrow_mesh.h"
#include "xr/render/coarse_mesh.h"
#include "xr/render/feature_edges.h"

namespace tenon::xr {

namespace {

void addCoarse(const Mesh& mesh, MeshRange& range, std::vector<std::uint32_t>& indices) {
  if (range.box.isEmpty() || !(range.box.diagonal().norm() > 0)) return;
  const auto add = [&](double cell, bool normals, std::uint32_t& first, std::uint32_t& count) {
    const auto triangles = coarseTriangles(mesh, cell, normals);
    if (triangles.empty()) return;
    first = static_cast<std::uint32_t>(indices.size());
    count = static_cast<std::uint32_t>(3 * triangles.size());
    for (const auto& t : triangles) indices.insert(indices.end(), t.begin(), t.end());
  };
  add(range.box.diagonal().norm() / 24, false, range.firstShadow, range.shadowIndices);
  range.cell = range.box.diagonal().norm() / 80;
  add(range.cell, true, range.firstCoarse, range.coarseIndices);
  if (range.coarseIndices == 0) range.cell = 0;
}

}  // namespace

MeshBuffers::MeshBuffers(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device,
                         bool coarse)
    : physical_(physical), device_(device), coarse_(coarse) {}

void MeshBuffers::append(const Mesh& mesh, const Eigen::AlignedBox3d& box, std::vector<float>& vertices,
                         std::vector<std::uint32_t>& indices) {
  const auto edges = featureEdges(mesh);
  const auto first = static_cast<std::uint32_t>(indices.size()),
             count = static_cast<std::uint32_t>(3 * mesh.triangles.size());
  MeshRange& range = ranges_.emplace_back();
  range.firstIndex = range.firstShadow = first;
  range.indices = range.shadowIndices = count;
  range.firstEdge = first + count;
  range.edgeIndices = static_cast<std::uint32_t>(2 * edges.size());
  range.firstVertex = static_cast<std::int32_t>(vertices.size() / 6);
  range.number = static_cast<std::uint32_t>(ranges_.size() - 1);
  range.box = box;
  for (std::size_t k = 0; k < mesh.positions.size(); ++k)
    for (const physics::Vector3d& v : {mesh.positions[k], mesh.normals[k]})
      for (int axis = 0; axis < 3; ++axis) vertices.push_back(static_cast<float>(v[axis]));
  for (const auto& triangle : mesh.triangles) indices.insert(indices.end(), triangle.begin(), triangle.end());
  for (const auto& edge : edges) indices.insert(indices.end(), edge.begin(), edge.end());
  patches_.push_back(coarse_ ? xr::patchesOf(mesh) : std::vector<Patch>());
  if (coarse_) addCoarse(mesh, range, indices);
}

bool MeshBuffers::upload(const RenderScene& scene, MeshBoxes& boxes) {
  std::vector<std::shared_ptr<const Mesh>> meshes{arrowShaft(), arrowHead()};
  const auto add = [&](const std::shared_ptr<const Mesh>& mesh) {
    if (std::find(meshes.begin(), meshes.end(), mesh) == meshes.end()) meshes.push_back(mesh);
  };
  const auto isUploaded = [&](const Instance& one) {
    return std::find(meshes_.begin(), meshes_.end(), one.mesh) != meshes_.end();
  };
  for (const Instance& instance : scene.instances)
    if (instance.affectsBounds) add(instance.mesh);
  const std::size_t exact = meshes.size();
  if (exact == exact_ && std::equal(meshes.begin(), meshes.end(), meshes_.begin()) &&
      std::all_of(scene.instances.begin(), scene.instances.end(), isUploaded))
    return false;
  for (const Instance& instance : scene.instances) add(instance.mesh);
  constexpr long kOwnUses = 2;  // meshes_ and the boxes
  for (std::size_t k = exact_; k < meshes_.size(); ++k)
    if (meshes_[k].use_count() > kOwnUses) add(meshes_[k]);
  std::vector<float> vertices;
  std::vector<std::uint32_t> indices;
  ranges_.clear();
  patches_.clear();
  for (const auto& mesh : meshes) append(*mesh, boxes.boxOf(mesh), vertices, indices);
  using U = vk::BufferUsageFlagBits;
  grow(vertices_, physical_, device_, vertices.size() * sizeof(float), U::eVertexBuffer);
  grow(indices_, physical_, device_, indices.size() * sizeof(std::uint32_t), U::eIndexBuffer);
  std::memcpy(vertices_.data, vertices.data(), vertices.size() * sizeof(float));
  std::memcpy(indices_.data, indices.data(), indices.size() * sizeof(std::uint32_t));
  meshes_ = std::move(meshes);
  exact_ = exact;
  ++version_;
  return true;
}

void MeshBuffers::bind(const vk::raii::CommandBuffer& commands) const {
  commands.bindVertexBuffers(0, *vertices_.buffer, vk::DeviceSize(0));
  commands.bindIndexBuffer(*indices_.buffer, 0, vk::IndexType::eUint32);
}

const MeshRange& MeshBuffers::rangeOf(const std::shared_ptr<const Mesh>& mesh) const {
  return ranges_[static_cast<std::size_t>(std::find(meshes_.begin(), meshes_.end(), mesh) - meshes_.begin())];
}

}  // namespace tenon::xr
