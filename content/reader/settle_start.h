// Moves parts apart that overlap slightly as drawn.
#pragma once

#include "content/model/interference_search.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Where parts overlap by more than kInitialOverlapTolerance and none by more than kSettledOverlap, moves
/// dynamic parts apart, at rest and without gravity, and lists the overlaps in Scene::settled. Where that
/// does not part them, as for a pin wider than its hole, the scene stays as it is. Overlaps of parts that do
/// not move are listed only. `search`: of this scene.
void settleStart(Scene& scene, InterferenceSearch& search);

}  // namespace tenon::content
