// The mouse as a pair of hands that pull a part at the picked point. Independent of windows: mouse states in,
// hand samples out.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "xr/appearance/pick.h"
#include "xr/hands/hand_source.h"
#include "xr/view.h"

namespace tenon::xr {

/// The state of the mouse and its modifier keys.
struct MouseState {
  double x = 0, y = 0;  ///< position in the view's rectangle, fractions from its top left corner
  bool pull = false;    ///< the grasp button is down
  bool turn = false;    ///< motions rotate the part instead of translating it
  bool fine = false;    ///< all motions count a tenth
  double wheel = 0;     ///< notches since the last state; positive: away from the user
};

/// The scene with hands "left" and "right" added where they are missing, at the origin, with default
/// parameters and without a script.
content::Scene withTwoHands(content::Scene scene);

/// The active hand follows the mouse; the others keep their state, including what they hold. While the button
/// is down, the mouse moves the held point in the plane parallel to the image and the wheel moves it along
/// the line of sight; with `turn` the mouse rotates it about the image's axes and the wheel about the line of
/// sight, all through the picked point. A motion of the camera alone does not move the hand.
class MouseHands {
 public:
  /// The hands of `scene` at their start poses.
  explicit MouseHands(const content::Scene& scene);

  std::size_t count() const { return samples_.size(); }
  int active() const { return active_; }
  /// Makes hand number `hand` the active one. If the button is down, it must be released before it acts on
  /// that hand.
  void setActive(int hand);
  /// Opens a hand. If the button is down, it must be released before the hand grasps again.
  void release(int hand);
  void releaseAll();
  bool holds(int hand) const { return samples_[static_cast<std::size_t>(hand)].closed; }

  /// Processes the next mouse state. `under`: the part under the pointer; the hand grasps it at that point
  /// when the button goes down, if it is dynamic. An empty hand keeps its pose.
  void update(const View& view, const MouseState& mouse, const std::optional<PartHit>& under);

  /// One for each hand of the scene.
  std::span<const HandSample> samples() const { return samples_; }

 private:
  static void open(HandSample& hand);
  void close(const View& view, const PartHit& hit);
  void carry(const View& view, const MouseState& mouse, HandSample& hand);
  static void turn(const View& view, const MouseState& mouse, const MouseState& last, HandSample& hand);

  std::vector<bool> dynamic_;  ///< by part
  std::vector<HandSample> samples_;
  int active_ = 0;
  MouseState last_;
  bool awaitsRelease_ = false;  ///< ignores the button until it is released
};

}  // namespace tenon::xr
