// The palette's colors for Dear ImGui.
#pragma once

#include <imgui.h>

#include "xr/appearance/palette.h"
#include "xr/display/image.h"

namespace tenon::xr {

/// Opaque, as ImGui's styles and texts take it.
inline ImVec4 uiColor(Color color) {
  return {static_cast<float>(color.red) / 255, static_cast<float>(color.green) / 255,
          static_cast<float>(color.blue) / 255, 1};
}

/// Of linear red, green and blue, as those of captions.
inline ImVec4 uiColor(const Eigen::Vector3d& linear) {
  return {static_cast<float>(encodeSrgb(linear.x())), static_cast<float>(encodeSrgb(linear.y())),
          static_cast<float>(encodeSrgb(linear.z())), 1};
}

/// As ImGui's draw lists take it; `opacity`: 0…255.
constexpr ImU32 drawColor(Color color, int opacity = 255) {
  return IM_COL32(color.red, color.green, color.blue, opacity);
}

}  // namespace tenon::xr
