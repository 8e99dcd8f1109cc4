// Fonts and colors of Dear ImGui's current context.
#pragma once

namespace tenon::xr {

/// Dark panels in DejaVu Sans. `scale` is the display's, 1 at 96 dots per inch.
void applyUiStyle(double scale);

/// Height of the panels' text at scale 1 [pixels].
inline constexpr double kTextHeight = 15;

}  // namespace tenon::xr
