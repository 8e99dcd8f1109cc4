// Reads a STEP file with its assembly, names and colors.
#pragma once

#include <TopoDS_Shape.hxx>

#include <functional>
#include <string>
#include <vector>

#include "content/step/step_model.h"

namespace tenon::content {

struct StepDocument {
  StepModel model;                   ///< products without mesh and faces
  std::vector<TopoDS_Shape> shapes;  ///< of the products, in millimeters; empty for those without faces
};

/// The document in the bytes of a STEP file. Throws UnreadableStep (unreadable_step.h) and exceptions of
/// OpenCASCADE.
StepDocument readStepDocument(const std::string& bytes,
                              const std::function<void(const std::string&)>& progress);

}  // namespace tenon::content
