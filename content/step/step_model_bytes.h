// A STEP model as bytes, on its way from the process that read it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "content/step/step_model.h"

namespace tenon::content {

/// Why a file cannot be read.
struct StepProblem {
  std::string place;  ///< "#12", an entity of the file; or ""
  std::string problem, remedy;
};

/// Numbers as this machine has them: both ends are on one.
std::string serialize(const StepModel& model);
std::string serialize(const StepProblem& problem);

struct StepReaderOutput {
  std::optional<StepModel> model;
  StepProblem problem;  ///< where there is no model
};

/// Nothing where the bytes are no whole answer, or one that does not hold together: an index that leads
/// nowhere, a number that is not finite, a rotation that is none.
std::optional<StepReaderOutput> parseStepReaderOutput(std::string_view bytes);

}  // namespace tenon::content
