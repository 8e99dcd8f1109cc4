// A STEP file with its assembly, names and colours.
#pragma once

#include <functional>
#include <string>

#include "content/step/step_model.h"

namespace tenon::content {

/// All that is in the bytes of a STEP file. Throws UnreadableStep (face_mesh.h), and what OpenCASCADE throws.
StepModel readStepDocument(const std::string& bytes, const std::function<void(const std::string&)>& progress);

}  // namespace tenon::content
