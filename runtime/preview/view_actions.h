// What keys and buttons change of the view alone, in every window: camera, arrows, section, glass, panels.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "runtime/preview/preview_state.h"
#include "runtime/preview/stage.h"
#include "xr/view.h"

namespace tenon::runtime {

/// Shows all parts, or one.
using FrameParts = std::function<void(std::optional<std::size_t> part)>;

/// False: the action has to do with something else.
bool performView(Action action, PreviewState& state, Stage& stage, const FrameParts& frame);

/// What the features that are measured are apart with the parts at these poses; nothing where there are not
/// two.
void readMeasured(PreviewState& state, Stage& stage, std::span<const physics::Pose> X_WP);

/// The camera's view in an area of a window of this size [pixels of the interface].
xr::View viewIn(const PreviewState& state, float left, float top, float width, float height,
                float windowWidth, float windowHeight);

}  // namespace tenon::runtime
