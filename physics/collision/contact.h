// A contact: a point where two bodies touch or may touch soon, with its signed distance.
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
  /// Id of the two features in contact (child shapes, faces, edges, phases): the same for the same geometric
  /// contact at nearby poses, unique among the contacts of a pair. Key of warm starts.
  std::uint64_t feature = 0;
  bool isCorner = false;  ///< of a corner of one body and a plane of the other
};

/// Contacts ordered by (i, j), then by feature.
using ContactSet = std::vector<Contact>;

}  // namespace tenon::physics
