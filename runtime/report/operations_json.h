// Results for assembly planning as JSON and CSV: one object or line for each goal.
#pragma once

#include <span>
#include <string>

#include "runtime/assess/operations.h"

namespace tenon::runtime {

/// A JSON array; null for events that did not occur. Units are in the names. Curves and paths are in other
/// tables.
std::string operationsJson(std::span<const Operation> operations);

/// The same as CSV (RFC 4180), without contact pairs.
std::string operationsCsv(std::span<const Operation> operations);

}  // namespace tenon::runtime
