// --size WxH of pictures and windows.
#pragma once

#include <string>

namespace tenon::runtime {

struct ImageSize {
  int width = 0, height = 0;  ///< [pixels]
};

/// Throws content::InputError for what is no size, or too small or large to draw.
ImageSize parseImageSize(const std::string& text);

}  // namespace tenon::runtime
