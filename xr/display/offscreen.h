// Rendering to images in memory. Without Vulkan's headers.
#pragma once

#include <memory>
#include <span>

#include "xr/display/image.h"
#include "xr/render/render_scene.h"
#include "xr/view.h"
#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::xr {

/// Numbers of lights with shadows, of the key light and of the sky. In software rendering the time is
/// proportional to their sum; with fewer lights shadows are less smooth.
struct SkyLightCounts {
  int key = 18, sky = 78;
};

class Offscreen {
 public:
  /// Size of the images [pixels]. Throws GraphicsUnavailable without a suitable Vulkan device.
  Offscreen(int width, int height, const SkyLightCounts& lights = {});
  ~Offscreen();

  /// Renders the views into one image, with labels and legend. Throws GraphicsUnavailable if the device
  /// fails.
  Image draw(std::span<const View> views, const RenderScene& scene);

  /// The largest side that every Vulkan device supports [pixels].
  static constexpr int kMaxPixels = 4096;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::xr
