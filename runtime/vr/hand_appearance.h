// The appearance of the hands: poses, grasps, tethers and pointing rays.
#pragma once

#include <memory>
#include <optional>

#include "runtime/simulation/simulation_frame.h"
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
};

/// Draws a ball for each hand: gray if open, blue if closed, green in fine motion. If the hand and its grasp
/// point are farther apart than kGhostDistance, the ball is drawn at the grasp point, a transparent ball at
/// the hand, and a tether between them, which turns red near the force or distance limit. A hand that is not
/// tracked but holds a part is transparent too. A ray connects the hand with the part that it would grasp or
/// holds from afar.
class HandAppearance {
 public:
  static constexpr double kGhostDistance = 0.003;  ///< [m]

  /// `scale`: displayed size of a meter of the world; the radii are in displayed meters.
  explicit HandAppearance(double scale = 1);
  void add(const ShownHand& hand, xr::RenderScene& renderScene) const;

 private:
  void addBall(const physics::Pose& X, const Eigen::Vector3d& color, bool ghost,
               xr::RenderScene& renderScene) const;

  double scale_;
  std::shared_ptr<const xr::Mesh> ball_;
};

}  // namespace tenon::runtime
