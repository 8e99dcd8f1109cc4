// Draws the gizmo and what the tools of the arrange mode have picked, over the picture.
#pragma once

#include "runtime/workbench/bench_tools.h"

namespace tenon::runtime {

/// Draws into the background, behind all panels. `area`: of the picture in the window [ImGui pixels].
void drawGizmo(const ImageArea& area, const BenchPicture& picture, const BenchTools& tools);

/// Where the handles are, for tests: the middles of their lines [window pixels], by axis; empty without a
/// gizmo.
std::vector<std::array<double, 2>> handlePlaces(const ImageArea& area, const BenchPicture& picture);

}  // namespace tenon::runtime
