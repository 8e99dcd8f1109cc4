// Positions as text, for messages.
#pragma once

#include <string>

#include "physics/math/pose.h"

namespace tenon::content {

/// A point [m] as text in millimeters: "(1.25, 0, -30) mm".
std::string positionText(const physics::Vector3d& position);

}  // namespace tenon::content
