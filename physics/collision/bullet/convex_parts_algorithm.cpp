// Pairs of convex parts: addConvexContacts(), with searchNormal() as the first direction of its search.
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>

#include <cassert>
#include <optional>

#include "physics/collision/bullet/closest_search.h"
#include "physics/collision/bullet/pair_algorithm.h"
#include "physics/collision/bullet/pair_query.h"
#include "physics/collision/geometry/bounds.h"
#include "physics/collision/manifold/convex_manifold.h"

namespace tenon::physics::bullet {
namespace {

void addPartPair(PairQuery& query, std::size_t a, std::size_t b) {
  const ConvexPair parts({&query.i.convexParts, static_cast<int>(a), query.X_WI, query.X_IJ},
                         {&query.j.convexParts, static_cast<int>(b), query.X_WJ, query.X_JI}, query.range);
  const std::optional<Contact> exit =
      addConvexContacts(parts, query.pair.i, query.pair.j, searchNormal, query.contacts);
  if (exit && !(query.exitContact && query.exitContact->separation >= exit->separation))
    query.exitContact = exit;
}

}  // namespace

// Convex parts of b in the outer loop: their bounds are rotated once and compared with those of a.
void ConvexPartsAlgorithm::processCollision(const btCollisionObjectWrapper* body0,
                                            const btCollisionObjectWrapper* body1, const btDispatcherInfo&,
                                            btManifoldResult* result) {
  assert(dynamic_cast<PairQuery*>(result) != nullptr);
  auto& query = static_cast<PairQuery&>(*result);
  const auto& a = static_cast<const Element&>(*body0->getCollisionShape());
  const auto& b = static_cast<const Element&>(*body1->getCollisionShape());
  query.isSorted = false;
  const Bounds whole = grown(a.bounds, query.range);
  const bool hasBounds = !a.isHalfSpace() && !b.isHalfSpace();
  for (std::size_t q = b.first; q < b.last; ++q) {
    const Bounds bounds = hasBounds ? rotatedBounds(query.j.convexParts[q].bounds, query.X_IJ) : Bounds{};
    if (hasBounds && !overlap(bounds, whole)) continue;
    const Bounds near = grown(bounds, query.range);
    for (std::size_t p = a.first; p < a.last; ++p)
      if (!hasBounds || overlap(query.i.convexParts[p].bounds, near)) addPartPair(query, p, q);
  }
}

}  // namespace tenon::physics::bullet
