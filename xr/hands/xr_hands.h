// A person's two hands in the room become hands of a scene. No OpenXR in it: controllers in, samples out.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "xr/hands/controller.h"
#include "xr/hands/hand_source.h"

namespace tenon::xr {

/// The left and the right hand are the scene's hands of these names; its other hands stay where they are. A
/// hand closes where its squeeze passes kCloseThreshold and opens where it falls below kOpenThreshold, so
/// that a grip that trembles in between neither takes nor loses anything. A hand whose tracking is lost stays
/// as it was, closed or open, until it is seen again: nothing is dropped because a camera looked away. A
/// closed hand that is seen again further than kMaxJump from where it was goes on from there, off by that
/// until it opens, so that what it holds is not torn from it. One that has closed meanwhile is where it is.
///
/// A closed hand that comes from another source, such as a bare hand after its controller was put away, goes
/// on likewise, and stays closed until it has been closed by the new source and opened.
///
/// Fine: while a closed hand's trigger is pulled, its motion counts only a part of what it is
/// (setMotionScale), from where it was then. What the hand is off by then stays until it opens: what it holds
/// makes no jump when the trigger is let go.
class XrHands {
 public:
  static constexpr double kCloseThreshold = 0.6, kOpenThreshold = 0.4;  ///< of squeeze and trigger
  static constexpr double kMinMotionScale = 0.1;
  static constexpr double kMaxJump = 0.05, kMaxJumpAngle = 0.5;  ///< [m, rad]
  static constexpr std::size_t kLeft = 0, kRight = 1;

  explicit XrHands(const content::Scene& scene);

  /// A metre of the scene looks like so many of the room: the hands' reach and kMaxJump are of the room.
  void setScale(double scale);

  /// The hands' next moment; `X_WS` is the room in the scene.
  void update(const std::array<Controller, 2>& controllers, const physics::Pose& X_WS);
  /// How much motion counts while the trigger is pulled: kMinMotionScale … 1. What is finer or coarser is
  /// brought there.
  void setMotionScale(double scale);
  /// One for each hand of the scene.
  std::span<const HandSample> samples() const { return samples_; }
  /// The scene's hand that kLeft or kRight is; −1: none.
  int handOf(std::size_t side) const { return hands_[side]; }
  bool isMotionScaled(std::size_t side) const { return sides_[side].mapping.scale < 1; }

 private:
  /// How a controller's motion in the room becomes the hand's: from where both were at one moment.
  struct MotionMapping {
    physics::Pose controller, hand;
    double scale = 1;

    physics::Pose handFor(const physics::Pose& X_SH) const;
  };

  /// What is remembered of a hand from one moment to the next.
  struct Side {
    MotionMapping mapping;
    physics::Pose X_SH;  ///< of the scene's hand, when it was seen last
    bool lost = false;   ///< since then it has not been seen
    HandOrigin origin = HandOrigin::controller;
    bool staysClosed = false;  ///< closed until its new source has closed it
  };

  static bool isClosed(const Controller& controller, const HandSample& sample, Side& side);
  bool jumps(const physics::Pose& from, const physics::Pose& to) const;

  std::array<int, 2> hands_{-1, -1};
  std::array<Side, 2> sides_;
  double motionScale_ = kMinMotionScale, scale_ = 1;
  std::vector<HandSample> samples_;
};

}  // namespace tenon::xr
