// A planner's results for other programs: one object, or one line, for each goal.
#pragma once

#include <span>
#include <string>

#include "runtime/assess/operations.h"

namespace tenon::runtime {

/// A JSON array; null for what did not come to be. Units are in the names. Without curves and paths: other
/// tables have these.
std::string operationsJson(std::span<const Operation> operations);

/// The same as CSV (RFC 4180); pairs that touched are left out.
std::string operationsCsv(std::span<const Operation> operations);

}  // namespace tenon::runtime
