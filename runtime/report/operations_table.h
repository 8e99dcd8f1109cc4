// The report's overview: a row for each goal, and what was done to its part once for all goals of that part.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "runtime/assess/operations.h"

namespace tenon::runtime {

/// HTML. Goals of one part stand together; the part's grasps and times are one cell over all their rows.
std::string operationsTable(std::span<const Operation> operations);

/// How many parts the goals are about.
std::size_t countParts(std::span<const Operation> operations);

/// A time [s] that may not have come: "0.500", "–".
std::string timeText(const std::optional<double>& time);

}  // namespace tenon::runtime
