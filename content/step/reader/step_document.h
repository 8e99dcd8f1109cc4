// Reads a STEP file with its assembly, names and colors.
#pragma once

#include <functional>
#include <string>

#include "content/step/step_model.h"

namespace tenon::content {

/// The model in the bytes of a STEP file. Throws UnreadableStep (face_mesh.h) and exceptions of OpenCASCADE.
StepModel readStepDocument(const std::string& bytes, const std::function<void(const std::string&)>& progress);

}  // namespace tenon::content
