// The display without a screen: pictures in memory. Free of Vulkan's headers.
#pragma once

#include <memory>
#include <span>

#include "xr/display/image.h"
#include "xr/render/render_scene.h"
#include "xr/view.h"
#include "xr/vulkan/graphics_unavailable.h"

namespace tenon::xr {

/// How many lights make the shadows, of the key light and of the sky. The time that a picture takes on a
/// processor is in proportion to their sum; with fewer lights shadows are less smooth.
struct SkyLightCounts {
  int key = 18, sky = 78;
};

class Offscreen {
 public:
  /// For pictures of this size [pixels]. Throws GraphicsUnavailable where there is no Vulkan device that can
  /// do it.
  Offscreen(int width, int height, const SkyLightCounts& lights = {});
  ~Offscreen();

  /// One picture of the views, with labels and legend written on it. Throws GraphicsUnavailable where the
  /// device fails.
  Image draw(std::span<const View> views, const RenderScene& scene);

  /// Largest side that any Vulkan device takes for sure [pixels].
  static constexpr int kMaxPixels = 4096;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::xr
