// The runtime's own model of a controller, and how its parts move. Without OpenXR's headers.
#pragma once

#include <string>
#include <vector>

#include "physics/math/pose.h"

namespace tenon::xr {

struct ControllerModel {
  std::string glb;                 ///< binary glTF in meters; "": there is none
  std::vector<std::string> nodes;  ///< names of the nodes that move
};

/// Of a frame; H is the frame of the grip pose, M that of the model.
struct ControllerModelState {
  /// The pose of a moving node in its parent's frame, in the place of the file's.
  struct Node {
    physics::Pose X_PN;
    bool visible = true;  ///< with all below it
  };
  physics::Pose X_HM;
  std::vector<Node> nodes;  ///< as in ControllerModel::nodes
};

}  // namespace tenon::xr
