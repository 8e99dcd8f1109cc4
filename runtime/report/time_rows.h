// Rows of a session's time line: what each hand held, notes and marks, first contact and outcome of each
// goal.
#pragma once

#include <span>
#include <vector>

#include "runtime/assess/operations.h"
#include "runtime/record/session_reader.h"
#include "runtime/report/svg_chart.h"

namespace tenon::runtime {

/// True for notes, undos, changes of settings and failures.
bool isMark(const SessionEvent& event);

/// One row for each hand, one for notes and marks where there are any, one for each goal.
std::vector<TimelineRow> timeRows(const SessionReader& session, std::span<const Operation> operations);

}  // namespace tenon::runtime
