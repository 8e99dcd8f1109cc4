// Maps the user's two hands in the room to hands of a scene. Independent of OpenXR: controllers in, samples
// out.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "xr/hands/controller.h"
#include "xr/hands/hand_source.h"

namespace tenon::xr {

/// The user's hands are the scene's hands "left" and "right"; other hands of the scene stay in place.
///
/// Hysteresis: a hand closes when its squeeze exceeds kCloseThreshold and opens below kOpenThreshold.
///
/// Loss of tracking: a hand keeps its state until it is tracked again. If a closed hand reappears further
/// than kMaxJump from its last pose, the offset is kept until it opens, so that the held part is not torn
/// away. A hand that closed while untracked has its actual pose.
///
/// Change of device, as from a controller to a bare hand: the offset is kept likewise, and the hand stays
/// closed until the new device has closed and opened it.
///
/// Motion scaling: while a closed hand's trigger is pulled, its motion is scaled by setMotionScale(). The
/// resulting offset is kept until the hand opens, so that the held part does not jump when the trigger is
/// released.
class XrHands {
 public:
  static constexpr double kCloseThreshold = 0.6, kOpenThreshold = 0.4;  ///< of squeeze and trigger
  static constexpr double kMinMotionScale = 0.1;
  static constexpr double kMaxJump = 0.05, kMaxJumpAngle = 0.5;  ///< [m, rad]
  static constexpr std::size_t kLeft = 0, kRight = 1;

  explicit XrHands(const content::Scene& scene);

  /// A meter of the scene appears as `scale` meters of the room; grab radius and kMaxJump are lengths of the
  /// room.
  void setScale(double scale);

  /// Processes the next controller states; `X_WS` is the pose of the room in the scene.
  void update(const std::array<Controller, 2>& controllers, const physics::Pose& X_WS);
  /// Scale of motion while the trigger is pulled, clamped to kMinMotionScale … 1.
  void setMotionScale(double scale);
  /// One for each hand of the scene.
  std::span<const HandSample> samples() const { return samples_; }
  /// The index of the scene's hand for kLeft or kRight; −1: none.
  int handOf(std::size_t side) const { return hands_[side]; }
  bool isMotionScaled(std::size_t side) const { return sides_[side].mapping.scale < 1; }

 private:
  /// Maps a controller's motion in the room to the hand's, relative to their poses at one instant.
  struct MotionMapping {
    physics::Pose controller, hand;
    double scale = 1;

    physics::Pose handFor(const physics::Pose& X_SH) const;
  };

  /// The state of a hand between updates.
  struct Side {
    MotionMapping mapping;
    physics::Pose X_SH;  ///< of the scene's hand, when it was last tracked
    bool lost = false;   ///< not tracked since then
    HandOrigin origin = HandOrigin::controller;
    bool staysClosed = false;  ///< closed until its new device has closed it
  };

  static bool isClosed(const Controller& controller, const HandSample& sample, Side& side);
  bool jumps(const physics::Pose& from, const physics::Pose& to) const;

  std::array<int, 2> hands_{-1, -1};
  std::array<Side, 2> sides_;
  double motionScale_ = kMinMotionScale, scale_ = 1;
  std::vector<HandSample> samples_;
};

}  // namespace tenon::xr
