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
class XrHands {
 public:
  static constexpr double kClose = 0.6, kOpen = 0.4;
  static constexpr std::size_t kLeft = 0, kRight = 1;

  explicit XrHands(const content::Scene& scene);

  /// The hands' next moment; `X_WS` is the room in the scene.
  void update(const std::array<Controller, 2>& controllers, const physics::Pose& X_WS);
  /// One for each hand of the scene.
  std::span<const HandSample> samples() const { return samples_; }
  /// The scene's hand that kLeft or kRight is; −1: none.
  int handOf(std::size_t side) const { return hands_[side]; }

 private:
  std::array<int, 2> hands_{-1, -1};
  std::vector<HandSample> samples_;
};

}  // namespace tenon::xr
