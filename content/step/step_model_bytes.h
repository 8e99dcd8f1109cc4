// Serializes a STEP model for the transfer from the reader process.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "content/step/step_model.h"

namespace tenon::content {

/// The error of a file that cannot be read.
struct StepProblem {
  std::string place;  ///< "#12", an entity of the file; or ""
  std::string problem, remedy;
};

/// Native number formats: both processes run on one machine.
std::string serialize(const StepModel& model);
std::string serialize(const StepProblem& problem);

struct StepReaderOutput {
  std::optional<StepModel> model;
  StepProblem problem;  ///< set if there is no model
};

/// Empty if the bytes are incomplete or inconsistent: an index out of range, a number that is not finite, a
/// quaternion that is not normalized.
std::optional<StepReaderOutput> parseStepReaderOutput(std::string_view bytes);

}  // namespace tenon::content
