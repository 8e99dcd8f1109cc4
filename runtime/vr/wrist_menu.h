// A panel above the wrist of one hand, and the other hand that points at it or touches it. Plain geometry, in
// the room.
#pragma once

#include <cstddef>
#include <optional>

#include <Eigen/Core>

#include "xr/hands/controller.h"

namespace tenon::runtime {

/// Where a hand points: from its tip, where a finger would be that is stretched out.
struct PointingRay {
  physics::Vector3d tip = physics::Vector3d::Zero();          ///< [m]
  physics::Vector3d direction = -physics::Vector3d::UnitZ();  ///< unit
};
PointingRay rayOf(const xr::Controller& hand);

/// A sheet in the room: x is to the right, y up, z to who reads it.
struct PanelRect {
  physics::Pose X_SP;            ///< of its middle
  double width = 0, height = 0;  ///< [m]
};

/// Whether the panel of a hand is to be seen, and where.
class Wrist {
 public:
  static constexpr double kWidth = 0.32, kHeight = 0.24;  ///< of the panel [m]
  /// Cosine of the angle between the palm's normal and the way to the head, from which the wrist counts as
  /// turned to it, and below which it does no more.
  static constexpr double kTurned = 0.77, kAway = 0.57;

  /// `side`: 0 the left hand, 1 the right one. It is there while the open hand's palm looks at the head, or
  /// since its menu button was pressed until that is pressed again; not while the hand is out of sight.
  std::optional<PanelRect> update(const xr::Controller& hand, std::size_t side, bool closed,
                                  const physics::Pose& X_SHead);
  bool isPinned() const { return pinned_; }

 private:
  bool turned_ = false, pinned_ = false, pressed_ = false;
};

/// What the other hand does to the sheet.
struct PanelTouch {
  std::optional<Eigen::Vector2d> at;  ///< as shares of its width and height, from its top left corner
  bool pressed = false;
  bool near = false;                                  ///< by the finger's tip; else by the ray
  physics::Vector3d hit = physics::Vector3d::Zero();  ///< in the room
};

/// The tip that goes through the sheet from its front presses; from afar the ray points, and trigger or
/// select button press. What was pressed before the hand pointed at the sheet presses nothing on it.
class PanelInteractor {
 public:
  static constexpr double kNear = 0.05;  ///< from here on it is the tip that counts [m]
  static constexpr double kThrough = 0.0,
                          kOff = 0.012;     ///< presses at, and lets go from [m before the sheet]
  static constexpr double kBehind = -0.05;  ///< who is that far behind it means something else [m]
  static constexpr double kFar = 1.5;       ///< the ray's length [m]

  /// `closed`: the hand holds something; then its trigger means something else.
  PanelTouch update(const xr::Controller& hand, bool closed, const std::optional<PanelRect>& sheet);

 private:
  bool through_ = false, pulled_ = false;
  bool pressing_ = false, begun_ = false;  ///< and has begun to on the sheet
  std::optional<double> before_;           ///< where the tip was, before the sheet [m]
};

}  // namespace tenon::runtime
