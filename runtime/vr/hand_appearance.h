// The appearance of the hands: poses, grasps, tethers and pointing rays.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/simulation/simulation_frame.h"
#include "runtime/vr/device_model.h"
#include "xr/render/render_scene.h"

namespace tenon::runtime {

/// One hand of a frame.
struct ShownHand {
  std::optional<physics::Pose> X_WH;  ///< pose of the real hand; std::nullopt: not tracked
  InterpolatedHand drawn;             ///< its state in the simulation
  bool closed = false, fine = false;
  bool far = false;                           ///< holds a part at the end of its ray
  std::optional<physics::Vector3d> aimPoint;  ///< point that it would grasp with the ray [m]
  double maxForce = 0;                        ///< of its spring [N]
  double breakDistance = 0;                   ///< [m]
  std::size_t side = 0;                       ///< left 0, right 1
  std::vector<physics::Vector3d> joints;      ///< of a bare hand [m]; empty: a controller
};

/// Draws a ball for each hand: gray if open, blue if closed, green in fine motion. If the hand and its grasp
/// point are farther apart than kGhostDistance, the ball is drawn at the grasp point, a transparent ball at
/// the hand, and a tether between them, which takes the color of contact forces near the force or distance
/// limit. A hand that is not tracked but holds a part is transparent too. A ray connects the hand with the
/// part that it would grasp or holds from afar.
///
/// At the pose of the real hand, its device is drawn: the runtime's model of the controller if there is one,
/// else a handle whose tip is the grip and whose fin is on the side of the thumb; for a bare hand its joints.
/// While the hand is closed it is transparent, so that it does not hide the part.
class HandAppearance {
 public:
  static constexpr double kGhostDistance = 0.003;  ///< [m]

  HandAppearance();
  /// `scale`: displayed size of a meter of the world; the sizes here are in displayed meters.
  void setScale(double scale);
  /// The runtime's model of a hand's controller. While there is none, or it is not to be drawn, the handle
  /// is.
  DeviceModel& model(std::size_t side) { return models_[side]; }
  void add(const ShownHand& hand, xr::RenderScene& renderScene) const;

 private:
  void addBall(const physics::Pose& X, const Eigen::Vector3d& color, bool ghost,
               xr::RenderScene& renderScene) const;

  void addDevice(const ShownHand& hand, const Eigen::Vector3d& color, xr::RenderScene& renderScene) const;

  double scale_ = 1;
  std::shared_ptr<const xr::Mesh> ball_, joint_;
  // By side.
  std::array<std::shared_ptr<const xr::Mesh>, 2> handles_;
  std::array<DeviceModel, 2> models_;
};

}  // namespace tenon::runtime
