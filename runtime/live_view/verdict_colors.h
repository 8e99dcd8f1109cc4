// Colors of verdicts in the panels.
#pragma once

#include "runtime/assess/goal_watch.h"
#include "xr/appearance/palette.h"

namespace tenon::runtime {

/// Text color on a panel.
xr::Color textColorOf(Verdict verdict);

/// Color of a bar behind the panels' text. That of a released part is that of a pending one: the word is
/// beside it.
xr::Color barColorOf(Verdict verdict);

}  // namespace tenon::runtime
