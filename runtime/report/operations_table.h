// The report's overview: a row for each goal; the handling of a part is shown once for all its goals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "runtime/assess/operations.h"

namespace tenon::runtime {

/// HTML. Goals of one part are grouped; cells with the part's grasps and times span all its rows.
std::string operationsTable(std::span<const Operation> operations);

/// Number of parts in the goals.
std::size_t countParts(std::span<const Operation> operations);

/// An optional time [s]: "0.500", "–".
std::string timeText(const std::optional<double>& time);

}  // namespace tenon::runtime
