// Contacts of two solids on their own faces, edges and vertices: all local minima of the signed distance
// within a range, and further points where surfaces are nearly flush.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/collision/brep/solid.h"

namespace tenon::physics::brep {

/// A point where solid A touches solid B or may touch soon, in B's frame.
struct SolidContact {
  Vector3d p = Vector3d::Zero();  ///< midway between the two surfaces' points [m]
  Vector3d n = Vector3d::Zero();  ///< unit normal, from A into B
  double separation = 0;          ///< signed distance along n [m]
  /// Feature of A (24 bits), feature of B (24 bits), and which of their contacts (16 bits): the same for the
  /// same contact at nearby poses, unique within a query.
  std::uint64_t feature = 0;
};

/// Which pairs of features are tested.
enum class PairSearchMode {
  tree,   ///< those whose boxes are within the range
  brute,  ///< all: the reference for tests
};

/// Appends the contacts with δ ≤ range [m] at pose X_BA, ordered by feature. A function of the two poses
/// alone. Overlap is measured up to the depth limit of the thinner solid, with a half-space at any depth.
/// Allocates only to grow `contacts`.
/// `pair`: any number of the two bodies: pairs with other numbers do not replace what its search keeps from
/// one pose to the next.
void findSolidContacts(const Solid& a, const Solid& b, const Pose& X_BA, double range,
                       std::vector<SolidContact>& contacts, PairSearchMode mode = PairSearchMode::tree,
                       std::uint64_t pair = 0);

}  // namespace tenon::physics::brep
