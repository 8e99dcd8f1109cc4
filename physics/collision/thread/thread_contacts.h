// Exact contacts of an external with an internal thread, in any relative pose, without state.
//
// Contact points: along each convex edge of either thread, all local minima of the distance to each face of
// the other; the closest points of two edges; corners against faces; and four fixed phases a turn, against
// flanks and where the distance to another face is constant, since coaxial threads touch along whole curves.
// Between flanks no minima are sought: where both are the same helicoid, displaced by their clearance, points
// of the crests' edges are the closest to within nanometers.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/collision/revolved/revolved_contacts.h"
#include "physics/collision/thread/tooth.h"

namespace tenon::physics {

/// Appends the contacts with δ ≤ range [m] at pose X_BA, in B's frame, ordered by feature; as
/// revolvedRevolvedContacts(). One thread is external and one internal. Allocates only to grow buffers.
void threadContacts(const ThreadGeometry& a, const ThreadGeometry& b, const Pose& X_BA, double range,
                    std::vector<SurfaceContact>& contacts);

/// True for the feature of a contact at a fixed phase of an edge: it stays while the thread turns.
constexpr bool isFixedPhase(std::uint64_t feature) {
  return (feature >> 29 & 3) == 0;
}

}  // namespace tenon::physics
