// The mouse as a pair of hands: it pulls a part at the touched point. No window in it: pixels in, hand
// samples out.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "xr/appearance/pick.h"
#include "xr/hands/hand_source.h"
#include "xr/view.h"

namespace tenon::xr {

/// The mouse and its keys at one moment.
struct MouseState {
  double x = 0, y = 0;  ///< place in the view's rectangle, fractions from its top left corner
  bool pull = false;    ///< the button that holds
  bool turn = false;    ///< moves turn the part instead of shifting it
  bool fine = false;    ///< a tenth of everything
  double wheel = 0;     ///< notches since the last moment; positive: away from the person
};

/// From the file's hands, and those that are missing of "left" and "right" added, so that the mouse has two
/// in any scene: at the origin, of usual strength, without a script.
content::Scene withTwoHands(content::Scene scene);

/// One hand follows the mouse, the others stay as they are: switched away from while it holds, a hand goes on
/// holding. While the button is down, moves carry the held point through the plane that is parallel to the
/// picture, the wheel brings it nearer or further along the line of sight, and with `turn` moves turn it
/// about the picture's axes (the wheel: about the line of sight), all through the touched point. Where the
/// camera moves and the mouse does not, the hand stays.
class MouseHands {
 public:
  /// For the hands of `scene`, at their places.
  explicit MouseHands(const content::Scene& scene);

  std::size_t count() const { return samples_.size(); }
  int active() const { return active_; }
  /// The mouse goes on as hand number `hand`. What the button does from now on is for that hand; it has to go
  /// up first where it is down.
  void setActive(int hand);
  /// Opens a hand, wherever the mouse is. Where its button is down, the hand grasps again only after the
  /// button has been up.
  void release(int hand);
  void releaseAll();
  bool holds(int hand) const { return samples_[static_cast<std::size_t>(hand)].closed; }

  /// The mouse's next moment. `under` is what it points at; a hand takes a dynamic part there when the button
  /// goes down, at the touched point. `X_WH` of an empty hand stays where it was.
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
  bool awaitsRelease_ = false;  ///< for the button to go up
};

}  // namespace tenon::xr
