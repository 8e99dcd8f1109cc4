// A goal's diagnosis for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

/// The object goals[].diagnosis: SI units, named in the keys; unknown values are null.
nlohmann::ordered_json diagnosisJson(const GoalResult& result);

}  // namespace tenon::runtime
