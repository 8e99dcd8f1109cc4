// A goal's diagnosis in a sentence: what touches where, and why that stopped the part.
#pragma once

#include <string>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

/// One line, without a line end, of what was measured and nothing else. `asked` is the goal's own.
std::string explanationOf(const GoalResult& result, const content::Goal& asked);

}  // namespace tenon::runtime
