// A person's two hands in the room become hands of a scene. No OpenXR in it: controllers in, samples out.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "content/scene/scene.h"
#include "xr/hands/controller.h"
#include "xr/hands/hand_source.h"

namespace tenon::xr {

/// The left and the right hand are the scene's hands of these names; its other hands stay where they are. A
/// hand closes where its squeeze passes kClose and opens where it falls below kOpen, so that a grip that
/// trembles in between neither takes nor loses anything. A hand whose tracking is lost stays as it was,
/// closed or open, until it is seen again: nothing is dropped because a camera looked away.
///
/// Fine: while a closed hand's trigger is pulled, its motion counts kFine of what it is, from where it was
/// then. What the hand is off by then stays until it opens: what it holds makes no jump when the trigger is
/// let go.
class XrHands {
 public:
  static constexpr double kClose = 0.6, kOpen = 0.4;  ///< of squeeze and trigger
  static constexpr double kFine = 0.1;
  static constexpr std::size_t kLeft = 0, kRight = 1;

  explicit XrHands(const content::Scene& scene);

  /// The hands' next moment; `X_WS` is the room in the scene.
  void update(const std::array<Controller, 2>& controllers, const physics::Pose& X_WS);
  /// One for each hand of the scene.
  std::span<const HandSample> samples() const { return samples_; }
  /// The scene's hand that kLeft or kRight is; −1: none.
  int handOf(std::size_t side) const { return hands_[side]; }
  bool isFine(std::size_t side) const { return ways_[side].scale < 1; }

 private:
  /// How a controller's motion in the room becomes the hand's: from where both were at one moment.
  struct Way {
    physics::Pose controller, hand;
    double scale = 1;

    physics::Pose handFor(const physics::Pose& X_SH) const;
  };

  std::array<int, 2> hands_{-1, -1};
  std::array<Way, 2> ways_;
  std::vector<HandSample> samples_;
};

}  // namespace tenon::xr
