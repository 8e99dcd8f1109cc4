// The card beside the parts: the controls of the user's controllers, and what to do next.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "runtime/live_view/scene_view.h"
#include "runtime/simulation/simulation_frame.h"
#include "runtime/vr/control_hints.h"
#include "runtime/vr/room.h"
#include "xr/render/render_scene.h"

namespace tenon::runtime {

inline constexpr int kCardHeight = 448;  ///< of its area in the panel image [pixels]

/// Text of the card.
struct CardText {
  std::string task, device, advice;  ///< `advice`: may be empty
  std::vector<ControlHint> hints;

  bool operator==(const CardText&) const = default;
};

/// The first goal that is not reached, as a request.
std::string taskText(const SceneView& sceneView, const SimulationFrame& frame);

class ControlsCard {
 public:
  static constexpr double kWidth = 0.30;            ///< in the room [m]
  static constexpr double kGap = 0.03;              ///< between parts and card [m]
  static constexpr double kUsedFieldOfView = 0.85;  ///< used fraction of the field of view to the side [-]
  static constexpr double kNearest = 0.3, kFarthest = 0.9;  ///< horizontal distance from the head [m]

  /// Places it beside `parts` [world, m], on the side of the hand that holds the menu, above the table and
  /// facing the head; behind them if it would be out of view there. The head looks at it also where the parts
  /// are elsewhere, as after a change of scale. `sideways`: tangent of the field of view to that side.
  void place(const physics::Pose& X_SHead, const Room& room, const Eigen::AlignedBox3d& parts,
             const Comfort& comfort, double sideways);
  /// True if the text differs from that of the last drawImage().
  bool isChanged(const CardText& text) const { return text != drawn_; }
  /// The panel image is a new one.
  void forgetImage() { drawn_.reset(); }
  /// Draws the text into its area of the panel image, in the current ImGui frame.
  void drawImage(const CardText& text);
  /// Adds the card to the scene. `imageHeight`: of the panel image [pixels].
  void add(const Room& room, int imageHeight, xr::RenderScene& renderScene) const;
  /// Pose in the room; none before place().
  std::optional<physics::Pose> poseIn(const Room& room) const;

 private:
  std::optional<physics::Pose> X_WP_;  ///< of its center in the world
  std::optional<CardText> drawn_;
};

}  // namespace tenon::runtime
