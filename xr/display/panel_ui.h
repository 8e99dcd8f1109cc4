// Dear ImGui without a window: what is on panels in the world, pointed at by hands. No Vulkan in it, so that
// tests press buttons without a display.
#pragma once

#include <optional>

#include <Eigen/Core>

struct ImDrawData;
struct ImGuiContext;

namespace tenon::xr {

/// Where a hand points in the image of panels, if at all.
struct PanelPointer {
  std::optional<Eigen::Vector2d> at;  ///< [pixels from the top left corner]
  bool pressed = false;
};

/// Has a context of ImGui's of its own, which is the present one from its making to its end: one at a time.
class PanelUi {
 public:
  /// Of an image of so many pixels; `scale` as in applyUiStyle().
  PanelUi(int width, int height, double scale);
  ~PanelUi();
  PanelUi(const PanelUi&) = delete;
  PanelUi& operator=(const PanelUi&) = delete;

  int width() const { return width_; }
  int height() const { return height_; }
  /// Begins a picture, `seconds` after the one before; ImGui's functions may be called from then on.
  void begin(const PanelPointer& pointer, double seconds);
  /// Ends it. What comes back holds until the next begin().
  const ImDrawData& end();

 private:
  int width_, height_;
  ImGuiContext* context_;
};

}  // namespace tenon::xr
