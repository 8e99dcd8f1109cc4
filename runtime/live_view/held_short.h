// Distinguishes a part that a hand merely holds just above its place from one that jams there.
#pragma once

#include <cstddef>

#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// A part closer than this to its depth may be held short of it [m].
inline constexpr double kHeldShort = 0.001;

/// True if the goal's part is at a standstill within kHeldShort of its depth because its hand pulls no
/// deeper: followed exactly, the hand's target would leave it short too. What resists it there is friction of
/// a part that is held askew, not a jam.
bool isHeldShort(const SimulationFrame& frame, std::size_t goal);

}  // namespace tenon::runtime
