// The mouse in the picture of the arrange mode: selects, drags, snaps, and picks shaft and hole of a goal.
#pragma once

#include <optional>

#include "runtime/live_view/overlay.h"
#include "runtime/live_view/view_state.h"
#include "runtime/workbench/arrange_state.h"
#include "runtime/workbench/workbench.h"
#include "xr/display/window_input.h"

namespace tenon::runtime {

/// The picture on which the tools act.
struct BenchPicture {
  Workbench& bench;
  ViewState& view;
  ArrangeState& arrange;
  ImageArea area;        ///< in fractions of the window
  double aspect = 1;     ///< of the area
  double height_px = 1;  ///< of the area
  bool overPanels = false;
};

class BenchTools {
 public:
  /// Handles a mouse event or a key. True if it is used up; else it moves the camera.
  bool handleInput(const xr::WindowInput& input, const BenchPicture& picture);
  /// Updates what is under the mouse, after all input of the frame.
  void updateHover(const BenchPicture& picture);
  bool drags() const { return drag_.has_value(); }
  /// Ends a drag without its motion.
  void cancel(Workbench& bench);
  /// The drag under way, for its drawing.
  const std::optional<GizmoDrag>& drag() const { return drag_; }
  int hoveredHandle() const { return hoveredHandle_; }

 private:
  bool press(const xr::WindowInput& input, const BenchPicture& picture);
  bool pressHandle(const BenchPicture& picture);
  void pickFeature(const BenchPicture& picture);
  void snap(const BenchPicture& picture, const xr::PickedFeature& moving, const xr::PickedFeature& target);
  std::optional<xr::PickedFeature> featureAt(const BenchPicture& picture,
                                             const std::optional<xr::PartHit>& hit) const;
  void addGoal(const BenchPicture& picture, const xr::PickedFeature& a, const xr::PickedFeature& b);
  void drag(const BenchPicture& picture, bool steps);
  void release(const BenchPicture& picture);
  std::optional<xr::PartHit> hitAt(const BenchPicture& picture) const;

  double x_ = 0.5, y_ = 0.5;  ///< in the image, fractions from its top left corner
  double pressX_ = 0, pressY_ = 0;
  bool faces_ = false;  ///< Shift is down: faces instead of holes and ends
  bool moved_ = false;  ///< the mouse has left the place where it was pressed
  std::optional<GizmoDrag> drag_;
  int dragged_ = -1;  ///< part
  physics::Pose X_;   ///< of the dragged part
  int hoveredHandle_ = -1;
};

/// The gizmo of the selected part; empty: none, or it cannot be moved.
std::optional<GizmoPlace> gizmoOf(const BenchPicture& picture);

}  // namespace tenon::runtime
