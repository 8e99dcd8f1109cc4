// Pictures that panels show, as cells of one image: a texture of Dear ImGui beside that of the glyphs.
#pragma once

namespace tenon::xr {

/// ImTextureID of the image that Window::showPictures() sets: an address that nothing else has. That of the
/// glyphs is null.
inline void* pictureSheet() {
  static char tag = 0;
  return &tag;
}

}  // namespace tenon::xr
