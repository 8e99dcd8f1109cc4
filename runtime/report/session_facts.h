// Facts of a whole session for reports: its outcome in one line, and how it was recorded.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/assess/operations.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// "3 of 4 goals inserted (2 parts)", or that the scene has no goals.
std::string outcomeText(std::span<const Operation> operations);

/// True if every goal was reached; of a scene without goals, too.
bool areAllReached(std::span<const Operation> operations);

/// A line of a table of two columns.
struct SessionFact {
  std::string label, value;
  const char* id = "";  ///< lets tests and scripts find it; "": none
};

/// Scene, time of the recording, length, ending, solver, program, and the parameters of the scene. The
/// scene's file is named without its folder, which concerns only the machine of the recording.
std::vector<SessionFact> sessionFacts(const SessionReader& session);

}  // namespace tenon::runtime
