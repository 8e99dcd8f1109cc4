// The runtime's own model of a controller, as it is drawn: pieces that move.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "content/model/display_mesh.h"
#include "xr/openxr/controller_model.h"
#include "xr/render/render_scene.h"

namespace tenon::runtime {

class DeviceModel {
 public:
  /// Reads the file of a model, or none. Throws content::InputError for a file that cannot be read, and then
  /// has no model.
  void set(const xr::ControllerModel& model);
  /// `scale`: displayed size of a meter of the world; the sizes here are in displayed meters.
  void setScale(double scale);
  void setState(const std::optional<xr::ControllerModelState>& state);
  /// True if there is a model and it is to be drawn.
  bool isShown() const { return !pieces_.empty() && state_.has_value(); }
  /// Adds its visible pieces. `X_WH`: pose of the grip in the world.
  void add(const physics::Pose& X_WH, const xr::Surface& surface, xr::RenderScene& renderScene) const;

 private:
  struct Piece {
    int node = -1;    ///< index of ControllerModel::nodes; −1: the model itself
    int parent = -1;  ///< index of a piece before it
    physics::Pose X_PA;
    double scale = 1;  ///< see content::GltfPiece
    content::DisplayMesh mesh;
    std::shared_ptr<const xr::Mesh> drawn;  ///< in the world's scale; null: nothing to draw
  };

  std::vector<Piece> pieces_;
  std::optional<xr::ControllerModelState> state_;
  double scale_ = 1;
};

}  // namespace tenon::runtime
