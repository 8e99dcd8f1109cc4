// The exception for files and products that cannot be converted.
#pragma once

#include <stdexcept>
#include <utility>

#include "content/step/step_model.h"

namespace tenon::content {

/// Thrown for a file or a product that cannot be converted.
struct UnreadableStep : std::runtime_error {
  explicit UnreadableStep(StepProblem details)
      : std::runtime_error(details.problem), details_(std::move(details)) {}
  const StepProblem& details() const { return details_; }

 private:
  StepProblem details_;
};

/// The problem of the exception that is handled: UnreadableStep, or one of OpenCASCADE or the library.
StepProblem problemOfException();

/// The problem of a file or product that needs more memory than there is.
StepProblem tooLarge();

}  // namespace tenon::content
