// Labels and legend, written on a picture.
#pragma once

#include <span>

#include "xr/display/image.h"
#include "xr/render/render_scene.h"
#include "xr/view.h"

namespace tenon::xr {

/// Writes each label beside its place, in every view, where that is in front of the camera; labels that would
/// cover one before them are left out. Writes the captions into the picture's lower left corner. Text of
/// characters that DejaVu Sans has not shows as boxes.
void annotate(Image& picture, std::span<const View> views, const RenderScene& scene);

}  // namespace tenon::xr
