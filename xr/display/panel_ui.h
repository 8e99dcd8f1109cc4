// Dear ImGui without a window: panels in the world that hands point at. Independent of Vulkan, so tests can
// press buttons without a display.
#pragma once

#include <optional>

#include <Eigen/Core>

struct ImDrawData;
struct ImGuiContext;

namespace tenon::xr {

/// The pointer of a hand in the panel image.
struct PanelPointer {
  std::optional<Eigen::Vector2d> at;  ///< from the top left corner [pixels]; none: not on the image
  bool pressed = false;
};

/// Owns an ImGui context, which is the current one during its lifetime: one instance at a time.
class PanelUi {
 public:
  /// Size of the image [pixels]; `scale`: see applyUiStyle().
  PanelUi(int width, int height, double scale);
  ~PanelUi();
  PanelUi(const PanelUi&) = delete;
  PanelUi& operator=(const PanelUi&) = delete;

  int width() const { return width_; }
  int height() const { return height_; }
  /// Begins a frame, `seconds` after the previous one; ImGui functions may be called until end().
  void begin(const PanelPointer& pointer, double seconds);
  /// Ends the frame. The result is valid until the next begin().
  const ImDrawData& end();

 private:
  int width_, height_;
  ImGuiContext* context_;
};

}  // namespace tenon::xr
