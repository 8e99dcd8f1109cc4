// The option --size WxH of images and windows.
#pragma once

#include <string>

namespace tenon::runtime {

struct ImageSize {
  int width = 0, height = 0;  ///< [pixels]
};

/// Throws content::InputError for invalid text, and for sizes that are too small or too large to render.
ImageSize parseImageSize(const std::string& text);

}  // namespace tenon::runtime
