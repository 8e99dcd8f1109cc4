// Mouse input in the image: pulls parts, moves the camera, picks features to measure.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "runtime/live_view/overlay.h"
#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "xr/display/window_input.h"

namespace tenon::runtime {

/// The current scene on which the mouse acts.
struct PointerScene {
  ViewState& state;
  SceneView& sceneView;
  std::span<const physics::Pose> X_WP;
  ImageArea area;     ///< in fractions of the window
  double aspect = 1;  ///< of the area
  bool scripted = false;
  bool overPanels = false;
  std::function<void()> handsMoved;  ///< called when a hand closed or opened: publish its samples
  bool canGrab = true;               ///< false: dragging a part orbits the camera
};

class Pointer {
 public:
  /// Handles the next input event. Ignores keys except R.
  void handleInput(const xr::WindowInput& input, const PointerScene& scene);
  /// Updates the hovered part, after all input of the frame.
  void updateHover(const PointerScene& scene);

 private:
  enum class DragMode { nothing, orbit, pan };

  std::optional<xr::PartHit> hitAt(double x, double y, const PointerScene& scene) const;
  void press(const xr::WindowInput& input, const PointerScene& scene);
  void release(const xr::WindowInput& input, const PointerScene& scene);
  void move(const xr::WindowInput& input, const PointerScene& scene);
  void pull(const PointerScene& scene, double notches, const std::optional<xr::PartHit>& under);
  void measure(const PointerScene& scene);

  double x_ = 0.5, y_ = 0.5;  ///< position in the image, fractions from its top left corner
  DragMode dragMode_ = DragMode::nothing;
  bool dragsPart_ = false, rotates_ = false, fine_ = false;
};

}  // namespace tenon::runtime
