// Draws labels and legend onto an image.
#pragma once

#include <span>

#include "xr/display/image.h"
#include "xr/render/render_scene.h"
#include "xr/view.h"

namespace tenon::xr {

/// Draws each label beside its point, in each view that shows the point; labels that would cover an earlier
/// one are omitted. Draws the captions in the lower left corner. Characters that DejaVu Sans lacks appear as
/// boxes.
void annotate(Image& image, std::span<const View> views, const RenderScene& scene);

}  // namespace tenon::xr
