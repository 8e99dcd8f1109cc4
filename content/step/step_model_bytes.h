// Serializes a STEP model for the transfer from the reader process.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "content/step/step_model.h"

namespace tenon::content {

/// Native number formats: both processes run on one machine.
std::string serialize(const StepModel& model);
std::string serialize(const StepProduct& product);
/// `model` with these serialized products in place of its own.
std::string serialize(const StepModel& model, const std::vector<std::string>& products);
std::string serialize(const StepProblem& problem);

struct StepReaderOutput {
  std::optional<StepModel> model;
  StepProblem problem;  ///< set if there is no model
};

/// Empty if the bytes are incomplete or inconsistent: an index out of range, a number that is not finite, a
/// quaternion that is not normalized.
std::optional<StepReaderOutput> parseStepReaderOutput(std::string_view bytes);

}  // namespace tenon::content
