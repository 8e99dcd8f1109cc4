// Colours of verdicts in the panels.
#pragma once

#include <array>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

using PanelColour = std::array<float, 3>;  ///< sRGB, 0…1

/// Of text on a panel.
PanelColour textColourOf(Verdict verdict);

/// Of a bar behind the panels' light text: the same hue, so dark that the text can be read (WCAG 2.1, 1.4.3:
/// a contrast of at least 4.5).
PanelColour barColourOf(Verdict verdict);

}  // namespace tenon::runtime
