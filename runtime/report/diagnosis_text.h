// Text of a goal's diagnosis: contacts, and why they stopped the part.
#pragma once

#include <string>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

/// One line without a line end; it states measured values only. `goal`: that of `result`.
std::string explanationOf(const GoalResult& result, const content::Goal& goal);

/// The same with the verdict in front, if the explanation does not begin with it.
std::string verdictAndExplanation(const GoalResult& result, const content::Goal& goal);

}  // namespace tenon::runtime
