// The desktop display: a window with rendered frames and, over them, panels by Dear ImGui. Without Vulkan's
// and GLFW's headers. One at a time, in the main thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "xr/display/image.h"
#include "xr/display/window_geometry.h"
#include "xr/display/window_input.h"
#include "xr/render/render_scene.h"
#include "xr/view.h"
#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::xr {

/// Result of Window::show().
struct PresentResult {
  bool presented = false;      ///< false: the window had no area or was being resized
  double time_s = 0;           ///< when it was handed to the display, by Window::now() [s]
  std::optional<Image> image;  ///< the frame read back, if `capture` requested it and the display allows it
};

class Window {
 public:
  /// Throws GraphicsUnavailable without a display, or without a Vulkan device that can draw on it.
  Window(const std::string& title, const WindowGeometry& geometry);
  ~Window();

  /// Input events since the last call; waits up to `timeout` [s] for one. Throws GraphicsUnavailable if the
  /// display was lost.
  std::vector<WindowInput> drainInput(double timeout);
  /// True once the user has requested to close the window.
  bool closing() const;
  /// Takes the request to close back.
  void keepOpen();
  /// False while the window is minimized or has no area.
  bool visible() const;

  /// Begins the panels of a frame: ImGui functions may be called until show(). Throws GraphicsUnavailable if
  /// the display was lost.
  void beginPanels();
  /// Renders scene and panels and presents them, at most once per period of the display. `capture`: also
  /// returns the image. Software rendering redraws only what changed; where that is most of the frame and
  /// rendering is slow, it renders fewer pixels and scales them, except for captures and with `isStatic`, for
  /// a scene that does not move. Throws GraphicsUnavailable if the device fails.
  PresentResult show(std::span<const View> views, const RenderScene& scene, bool capture = false,
                     bool isStatic = false);
  /// Rendered pixels per displayed pixel along each side in the last frame, at most 1.
  double resolutionScale() const;

  /// False while another frame of the same scene would still change the image: changes too faint for one
  /// frame are redrawn later.
  bool settled() const;

  /// Replaces the image of pictureSheet() (picture_sheet.h). Throws GraphicsUnavailable if the device fails.
  void showPictures(const Image& sheet);
  void setTitle(const std::string& title);
  /// Throws GraphicsUnavailable if the display was lost.
  WindowGeometry geometry() const;
  /// Width over height.
  double aspect() const;
  int width() const;  ///< of the framebuffer [pixels]
  int height() const;
  /// The display's content scale, 1 at 96 dots per inch.
  double scale() const;
  const std::string& deviceName() const;
  /// A steady clock [s].
  static double now();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::xr
