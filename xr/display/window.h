// The display on the desktop: a window with pictures and, over them, panels by Dear ImGui. Free of Vulkan's
// and GLFW's headers. One at a time, in the main thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "xr/display/image.h"
#include "xr/display/window_input.h"
#include "xr/render/render_scene.h"
#include "xr/view.h"
#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::xr {

/// Where a window is, in the desktop's own units.
struct WindowGeometry {
  int width = 1280, height = 720;
  std::optional<int> x, y;  ///< none: where the desktop puts it
  bool maximized = false;
  bool fits = true;  ///< made no larger than the desktop; else exactly so large
};

/// Result of Window::show().
struct PresentResult {
  bool presented = false;      ///< false: the window had no area or was being resized
  double time_s = 0;           ///< when it was handed to the display, by Window::now() [s]
  std::optional<Image> image;  ///< the frame read back, where `capture` asked for it and the display allows it
};

class Window {
 public:
  /// Throws GraphicsUnavailable where there is no display, or no Vulkan device that can draw on it.
  Window(const std::string& title, const WindowGeometry& place);
  ~Window();

  /// Takes in what has been done to the window since the last call; waits up to `patience` [s] for something.
  std::vector<WindowInput> drainInput(double timeout);
  /// The person wants it closed.
  bool closing() const;
  /// There is something to draw on: false while it is minimised or without area.
  bool visible() const;

  /// Begins the panels of a picture: from here to show(), functions of ImGui may be called.
  void beginPanels();
  /// Draws scene and panels, and shows them, not sooner than one period of the display after the last. Throws
  /// GraphicsUnavailable where the device fails. With `keep` the picture also comes back.
  /// A processor draws only what differs from the picture before. Where that is most of it, it draws fewer
  /// pixels and stretches them if it is slow, but for pictures that are kept, or `still`: to stay for a
  /// while.
  PresentResult show(std::span<const View> views, const RenderScene& scene, bool capture = false,
                     bool isStatic = false);
  /// Pixels drawn for a pixel shown, along each side, of the last picture: 1, or less.
  double resolutionScale() const;

  /// The same scene once more would be the same picture: false while parts of it are to be drawn again that
  /// have changed by too little to be seen in one picture.
  bool settled() const;

  void setTitle(const std::string& title);
  WindowGeometry place() const;
  /// Width over height.
  double aspect() const;
  /// In dots of the picture.
  int width() const;
  int height() const;
  /// The display's, 1 at 96 dots per inch.
  double scale() const;
  const std::string& deviceName() const;
  /// A steady clock [s].
  static double now();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::xr
