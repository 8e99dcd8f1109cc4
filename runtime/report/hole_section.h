// The section of a scene along a hole's axis, and the direction to look at it from.
#pragma once

#include "physics/math/pose.h"
#include "xr/render/render_scene.h"

namespace tenon::runtime {

struct HoleSection {
  xr::SectionPlane plane;  ///< contains the hole's axis
  physics::Vector3d from;  ///< to the camera: from the front or the right, a little from above the mouth
};

/// `X_WH`: the mouth, +z out of the hole. `along`: a direction in the world that the plane shall contain as
/// far as the axis allows; zero: any.
HoleSection sectionThrough(const physics::Pose& X_WH,
                           const physics::Vector3d& along = physics::Vector3d::Zero());

}  // namespace tenon::runtime
