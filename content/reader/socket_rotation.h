// The pose of a part in a socket.
#pragma once

#include "content/reader/fit_request.h"

namespace tenon::content {

/// The pose of `part` in the frame of `into` at the depth of the request's goal: of all rotations about the
/// goal's axis from the start, that in which the most planes and cylinders beside the axis lie on one
/// another, then the nearest one. Throws InputError for more pairs of such faces than can be compared.
Pose poseInSocket(const FitRequest& request, const physics::BoundarySolid& part,
                  const physics::BoundarySolid& into, const Scene& scene);

}  // namespace tenon::content
