// Why a part stopped in an opening of unknown cross-section, in words.
#pragma once

#include <string>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

/// The explanation of a part in a socket or on its way to a pose that is jammed or blocked: where it stands,
/// the faces that it touches, Whitney's figures, the motion that frees it. Points [mm], directions and shifts
/// are in the frame of the hole's part. `result` must have a standstill.
std::string sectionStopText(const GoalResult& result);

/// ", between walls with 14 µm of clearance" or of interference, at the size with the least; "" where it is
/// unknown.
std::string wallClearanceText(const InsertionFit& fit);

}  // namespace tenon::runtime
