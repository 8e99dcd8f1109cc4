// The values of case k: a pure function of the plan and k, the same for any number of threads and shards.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/study/plan.h"

namespace tenon::runtime {

/// The plan's variables in case `k` of 0 to plan.count − 1.
std::vector<double> valuesOfCase(const StudyPlan& plan, std::int64_t k);

/// The seed of that case's run.
std::uint64_t seedOfCase(const StudyPlan& plan, std::int64_t k);

}  // namespace tenon::runtime
