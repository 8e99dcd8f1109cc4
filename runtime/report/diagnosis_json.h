// A goal's diagnosis for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

/// The object goals[].diagnosis: SI units, each in its name; what was not found out is null.
nlohmann::ordered_json diagnosisJson(const GoalResult& result);

}  // namespace tenon::runtime
