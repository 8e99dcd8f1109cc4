// The tolerances of a goal as a table of the report, and as JSON.
#pragma once

#include <span>
#include <string>

#include "runtime/assess/tolerance_check.h"

namespace tenon::runtime {

/// Quantity, figure, allowed range, pass or fail.
std::string toleranceTable(std::span<const ToleranceCheck> checks);

/// The name of a quantity in JSON, with its unit: "depth_m".
const char* jsonNameOf(ToleranceKind kind);

}  // namespace tenon::runtime
