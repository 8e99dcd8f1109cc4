// The faces of a shape as triangles, and the surfaces that they lie on.
#pragma once

#include <stdexcept>

#include "content/step/step_model.h"
#include "content/step/step_model_bytes.h"

class TopoDS_Shape;

namespace tenon::content {

/// A file that no model can be made of; caught in main().
struct UnreadableStep : std::runtime_error {
  explicit UnreadableStep(StepProblem why) : std::runtime_error(why.problem), what_(std::move(why)) {}
  const StepProblem& why() const { return what_; }

 private:
  StepProblem what_;
};

/// Fills mesh and faces of `product` from a shape in millimetres. A facet of a round face turns by at
/// most 0.2 rad, and lies within a thousandth of the shape's extent of its surface. Throws UnreadableStep.
void meshFaces(const TopoDS_Shape& shape, StepProduct& product);

}  // namespace tenon::content
