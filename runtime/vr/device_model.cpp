// See device_model.h.
#include "runtime/vr/device_model.h"

#include <algorithm>

#include "content/mesh/read_gltf.h"
#include "xr/appearance/compose.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// The triangles of a mesh, each with its own normal.
content::DisplayMesh facetsOf(const content::TriangleMesh& from) {
  content::DisplayMesh mesh;
  for (const auto& triangle : from.triangles) {
    const auto corner = [&](std::size_t k) { return from.vertices[static_cast<std::size_t>(triangle[k])]; };
    const Vector3d normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    if (normal.norm() == 0) continue;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::size_t k = 0; k < 3; ++k) {
      mesh.positions.push_back(corner(k));
      mesh.normals.push_back(normal.normalized());
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

}  // namespace

void DeviceModel::set(const xr::ControllerModel& model) {
  pieces_.clear();
  if (model.glb.empty()) return;
  content::DiskFileSource none;
  for (const content::GltfPiece& piece :
       content::parseGltfPieces(model.glb, "the controller's model", none, model.nodes)) {
    const auto node = std::find(model.nodes.begin(), model.nodes.end(), piece.node);
    pieces_.push_back({node == model.nodes.end() ? -1 : static_cast<int>(node - model.nodes.begin()),
                       piece.parent, piece.X_PA, piece.scale, facetsOf(piece.mesh), nullptr});
  }
  setScale(scale_);
}

void DeviceModel::setScale(double scale) {
  scale_ = scale;
  for (Piece& piece : pieces_) {
    content::DisplayMesh mesh = piece.mesh;
    for (Vector3d& p : mesh.positions) p /= scale;
    piece.drawn = mesh.triangles.empty() ? nullptr : std::make_shared<xr::Mesh>(xr::renderMesh(mesh));
  }
}

void DeviceModel::setState(const std::optional<xr::ControllerModelState>& state) {
  state_ = state;
}

void DeviceModel::add(const Pose& X_WH, const xr::Surface& surface, xr::RenderScene& renderScene) const {
  if (!isShown()) return;
  std::vector<std::optional<Pose>> X_H(pieces_.size());  // of the pieces' frames; none: not visible
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const Piece& piece = pieces_[k];
    if (piece.parent < 0) {
      X_H[k] = state_->X_HM;
    } else if (const auto& X_HP = X_H[static_cast<std::size_t>(piece.parent)];
               X_HP && static_cast<std::size_t>(piece.node) < state_->nodes.size()) {
      const auto& node = state_->nodes[static_cast<std::size_t>(piece.node)];
      Pose X_AN = node.X_PN;
      X_AN.p *= piece.scale;
      if (node.visible) X_H[k] = *X_HP * piece.X_PA * X_AN;
    }
    if (!X_H[k] || !piece.drawn) continue;
    Pose X_HN = *X_H[k];
    X_HN.p /= scale_;
    renderScene.instances.push_back({piece.drawn, X_WH * X_HN, surface, 0, false, false});
  }
}

}  // namespace tenon::runtime
