// The curves of one operation for the report: torque, push with its limits, clearance along the path, the
// path.
#pragma once

#include <string>

#include "content/model/scene.h"
#include "runtime/assess/operations.h"

namespace tenon::runtime {

/// The charts side by side; "" without any.
std::string operationCharts(const Operation& operation, const content::Scene& scene);

}  // namespace tenon::runtime
