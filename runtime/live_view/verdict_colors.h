// Colors of verdicts in the panels.
#pragma once

#include <array>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

using PanelColor = std::array<float, 3>;  ///< sRGB, 0…1

/// Text color on a panel.
PanelColor textColorOf(Verdict verdict);

/// Color of a bar behind light text: the same hue, darkened to a contrast of at least 4.5 (WCAG 2.1, 1.4.3).
PanelColor barColorOf(Verdict verdict);

}  // namespace tenon::runtime
