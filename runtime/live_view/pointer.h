// The mouse in the picture: it pulls parts, leads the camera, and picks what is to be measured.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "runtime/live_view/overlay.h"
#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "xr/display/window_input.h"

namespace tenon::runtime {

/// What the mouse acts on, as of this moment.
struct PointerScene {
  ViewState& state;
  SceneView& sceneView;
  std::span<const physics::Pose> X_WP;
  ImageArea area;     ///< in fractions of the window
  double aspect = 1;  ///< of the area
  bool scripted = false;
  bool overPanels = false;
  std::function<void()> handsMoved;  ///< a hand closed or opened: its samples are to be passed on at once
  bool pulls = true;                 ///< parts can be pulled; else a drag on one leads the camera
};

class Pointer {
 public:
  /// The next thing that was done; keys other than those that change what the mouse does are left alone.
  void handleInput(const xr::WindowInput& input, const PointerScene& scene);
  /// After all that was done: what is under the mouse now.
  void updateHover(const PointerScene& scene);

 private:
  enum class DragMode { nothing, orbit, pan };

  std::optional<xr::PartHit> hitAt(double x, double y, const PointerScene& scene) const;
  void press(const xr::WindowInput& input, const PointerScene& scene);
  void release(const xr::WindowInput& input, const PointerScene& scene);
  void move(const xr::WindowInput& input, const PointerScene& scene);
  void pull(const PointerScene& scene, double notches, const std::optional<xr::PartHit>& under);
  void measure(const PointerScene& scene);

  double x_ = 0.5, y_ = 0.5;  ///< in the picture, fractions from its top left corner
  DragMode dragMode_ = DragMode::nothing;
  bool pulls_ = false, turns_ = false, fine_ = false;
};

}  // namespace tenon::runtime
