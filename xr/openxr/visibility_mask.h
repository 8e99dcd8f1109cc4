// The part of an eye's image that its lens does not show (XR_KHR_visibility_mask). Includes OpenXR's headers.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "xr/openxr/xr_session.h"

namespace tenon::xr {

/// Triangles that cover it, three corners each, as tangents of the angles to the line of sight (right, up).
/// Empty if the runtime does not report it. `view`: its number in ViewConfiguration. Throws OpenXrError,
/// HeadsetLost.
std::vector<Eigen::Vector2f> hiddenTriangles(const OpenXrSession& session, std::uint32_t view);

}  // namespace tenon::xr
