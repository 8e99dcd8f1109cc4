// One contact: a point where two bodies touch or are about to, with its signed distance.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/math/ids.h"
#include "physics/math/pose.h"

namespace tenon::physics {

/// A (potential) contact between bodies i < j. In world coordinates.
struct Contact {
  BodyId i;                       ///< the lower id
  BodyId j;                       ///< the higher id
  Vector3d p = Vector3d::Zero();  ///< midway between the two surfaces' points [m]
  Vector3d n = Vector3d::Zero();  ///< unit normal, pointing from i into j
  double separation = 0;          ///< δ, signed distance along n [m]; negative = interpenetration
  /// Which features meet (child shapes, faces, edges, phases): equal for the same geometric contact
  /// in neighbouring poses, unique among the contacts of one pair. Keys warm starts.
  std::uint64_t feature = 0;
};

/// Contacts in a fixed order: by (i, j), then by feature.
using ContactSet = std::vector<Contact>;

}  // namespace tenon::physics
