// Triangulates the faces of an OpenCASCADE shape and extracts their surfaces.
#pragma once

#include <stdexcept>

#include "content/step/step_model.h"
#include "content/step/step_model_bytes.h"

class TopoDS_Shape;

namespace tenon::content {

/// Thrown for a file that cannot be converted; caught in main().
struct UnreadableStep : std::runtime_error {
  explicit UnreadableStep(StepProblem details)
      : std::runtime_error(details.problem), details_(std::move(details)) {}
  const StepProblem& details() const { return details_; }

 private:
  StepProblem details_;
};

/// Sets mesh and faces of `product` from a shape in millimeters. Facets of a round face span at most 0.2 rad
/// and deviate from the surface by at most a thousandth of the shape's extent. Throws UnreadableStep.
void meshFaces(const TopoDS_Shape& shape, StepProduct& product);

}  // namespace tenon::content
