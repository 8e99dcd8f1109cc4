// Colours of verdicts in the panels.
#pragma once

#include <array>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

using PanelColor = std::array<float, 3>;  ///< sRGB, 0…1

/// Of text on a panel.
PanelColor textColorOf(Verdict verdict);

/// Of a bar behind the panels' light text: the same hue, so dark that the text can be read (WCAG 2.1, 1.4.3:
/// a contrast of at least 4.5).
PanelColor barColorOf(Verdict verdict);

}  // namespace tenon::runtime
