// The geometry of the wrist menu: a panel above one hand, and pointing or touching with the other.
#pragma once

#include <cstddef>
#include <optional>

#include <Eigen/Core>

#include "xr/hands/controller.h"

namespace tenon::runtime {

/// The pointing ray of a hand, from its fingertip.
struct PointingRay {
  physics::Vector3d tip = physics::Vector3d::Zero();          ///< [m]
  physics::Vector3d direction = -physics::Vector3d::UnitZ();  ///< unit
};
PointingRay rayOf(const xr::Controller& hand);

/// A panel in the room: x right, y up, z toward the reader.
struct PanelRect {
  physics::Pose X_SP;            ///< pose of its center
  double width = 0, height = 0;  ///< [m]
};

/// An upright pose at `center` whose z axis points to the head.
physics::Pose facing(const physics::Vector3d& center, const physics::Vector3d& head);

/// Visibility and pose of the menu above a wrist.
class Wrist {
 public:
  static constexpr double kWidth = 0.32, kHeight = 0.24;  ///< of the panel [m]
  /// Cosine of the angle between palm normal and direction to the head above which the menu is shown, and
  /// below which it is hidden.
  static constexpr double kShowCosine = 0.77, kHideCosine = 0.57;

  /// The pose of the menu while the palm of the open hand faces the head, or while it is pinned with the menu
  /// button; std::nullopt if hidden or not tracked. `side`: 0 left, 1 right hand.
  std::optional<PanelRect> update(const xr::Controller& hand, std::size_t side, bool closed,
                                  const physics::Pose& X_SHead);
  bool isPinned() const { return pinned_; }

 private:
  bool facingHead_ = false, pinned_ = false, pressed_ = false;
};

/// The effect of the other hand on the panel.
struct PanelTouch {
  std::optional<Eigen::Vector2d> position;  ///< fractions of width and height from the top left corner
  bool pressed = false;
  bool near = false;                                  ///< touched with the fingertip, not the ray
  physics::Vector3d hit = physics::Vector3d::Zero();  ///< intersection point in the room
};

/// Touching: the fingertip presses when it passes through the panel from the front. Pointing: the ray points,
/// and the trigger or select button presses. A press that began outside the panel is ignored.
class PanelInteractor {
 public:
  static constexpr double kTouchDistance =
      0.05;  ///< below this distance the fingertip is used instead of the ray [m]
  static constexpr double kPressDistance = 0.0,
                          kReleaseDistance =
                              0.012;           ///< tip distances of press and release [m before the panel]
  static constexpr double kMaxBehind = -0.05;  ///< maximum depth of the tip behind the panel [m]
  static constexpr double kRayLength = 1.5;    ///< [m]

  /// `closed`: the hand is grasping, so its trigger does not press.
  PanelTouch update(const xr::Controller& hand, bool closed, const std::optional<PanelRect>& panel);

 private:
  bool touching_ = false, triggerPulled_ = false;
  bool pressing_ = false, beganOnPanel_ = false;  ///< the press began on the panel
  std::optional<double> lastTipZ_;                ///< previous distance of the tip before the panel [m]
};

}  // namespace tenon::runtime
