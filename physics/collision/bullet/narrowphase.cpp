// The table of pairs of shape types, and the loop over the elements of two bodies.
#include "physics/collision/bullet/narrowphase.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>

#include <algorithm>
#include <type_traits>

#include "physics/collision/bullet/bullet_scale.h"
#include "physics/collision/geometry/bounds.h"
#include "physics/collision/manifold/convex_manifold.h"
#include "physics/collision/revolved/block_contacts.h"

namespace tenon::physics::bullet {
namespace {

// `contacts` for a of type A and b of type B.
template <class A, class B, auto contacts>
void exact(const ExactGeometry& a, const ExactGeometry& b, const Pose& X_BA, double range,
           std::vector<SurfaceContact>& found) {
  const A& one = std::get<A>(a);
  const B& two = std::get<B>(b);
  if constexpr (std::is_same_v<A, PlacedSphere>)
    contacts({X_BA * one.center, one.radius}, two, range, found);
  else if constexpr (std::is_same_v<B, Plane>)
    contacts(one, X_BA, range, found);
  else
    contacts(one, two, X_BA, range, found);
}

}  // namespace

Narrowphase::Narrowphase() {
  using R = RevolvedGeometry;
  using B = BlockGeometry;
  constexpr ElementType kTurned[] = {kRevolved, kExternalThread, kInternalThread};
  for (const ElementType type : kTurned) {
    addRevolved(type);
    for (const ElementType other : kTurned) add(type, other, exact<R, R, revolvedRevolvedContacts>);
  }
  add(kBlock, kBlock, exact<B, B, blockBlockContacts>);
  addBothOrders(kRound, kBlock, exact<R, B, revolvedBlockContacts>);
  addBothOrders(kBlock, kPolytope, exact<B, PolytopeGeometry, blockPolytopeContacts>);
  addBothOrders(kBlock, kCapsule, exact<B, CapsuleGeometry, blockCapsuleContacts>);
  addBothOrders(kBlock, kHalfSpace, exact<B, Plane, blockHalfSpaceContacts>);
  addBothOrders(kSphere, kBlock, exact<PlacedSphere, B, sphereBlockContacts>);
  dispatcher_.registerClosestPointsCreateFunc(kExternalThread, kInternalThread, &threads_);
  dispatcher_.registerClosestPointsCreateFunc(kInternalThread, kExternalThread, &swappedThreads_);
  for (int type = kConvexParts; type <= kBoundarySolid; ++type) {
    dispatcher_.registerClosestPointsCreateFunc(kBoundarySolid, type, &solids_);
    dispatcher_.registerClosestPointsCreateFunc(type, kBoundarySolid, &solids_);
  }
  dispatcher_.registerClosestPointsCreateFunc(kBlock, kConvexParts, &solids_);
  dispatcher_.registerClosestPointsCreateFunc(kConvexParts, kBlock, &solids_);
}

void Narrowphase::addRevolved(ElementType type) {
  using R = RevolvedGeometry;
  add(type, kRound, exact<R, R, revolvedRevolvedContacts>);
  add(kRound, type, exact<R, R, revolvedRevolvedContacts>);
  addBothOrders(type, kBlock, exact<R, BlockGeometry, revolvedBlockContacts>);
  addBothOrders(type, kPolytope, exact<R, PolytopeGeometry, revolvedPolytopeContacts>);
  addBothOrders(type, kCapsule, exact<R, CapsuleGeometry, revolvedCapsuleContacts>);
  addBothOrders(type, kHalfSpace, exact<R, Plane, revolvedHalfSpaceContacts>);
  addBothOrders(kSphere, type, exact<PlacedSphere, R, sphereRevolvedContacts>);
}

void Narrowphase::add(ElementType a, ElementType b, ExactContacts contacts, bool swapped) {
  dispatcher_.registerClosestPointsCreateFunc(a, b, &exact_.emplace_back(contacts, swapped));
}

void Narrowphase::addBothOrders(ElementType a, ElementType b, ExactContacts contacts) {
  add(a, b, contacts);
  add(b, a, contacts, true);
}

const btCollisionAlgorithm* Narrowphase::algorithmOf(const Element& a, const Element& b) const {
  const btTransform& X = btTransform::getIdentity();
  const btCollisionObjectWrapper one(nullptr, &a, nullptr, X, -1, -1), two(nullptr, &b, nullptr, X, -1, -1);
  return dispatcher_.findAlgorithm(&one, &two, nullptr, BT_CLOSEST_POINT_ALGORITHMS);
}

bool Narrowphase::isExact(const Element& a, const Element& b) const {
  return algorithmOf(a, b) != &configuration_.algorithm;
}

bool Narrowphase::hasContactsOfSolids(const Element& a, const Element& b) const {
  return algorithmOf(a, b) == &solids_;
}

void Narrowphase::addElementPair(const Element& a, const Element& b, PairQuery& query) const {
  const btTransform X_IA = toBullet(a.X_CE);
  const btTransform X_IB = toBullet(RigidTransform{query.X_IJ.R * b.X_CE.R, query.X_IJ.point(b.X_CE.p)});
  const btCollisionObjectWrapper one(nullptr, &a, nullptr, X_IA, -1, -1),
      two(nullptr, &b, nullptr, X_IB, -1, -1);
  query.key = static_cast<std::uint64_t>(a.first) << 50 | static_cast<std::uint64_t>(b.first) << 36;
  dispatcher_.findAlgorithm(&one, &two, nullptr, BT_CLOSEST_POINT_ALGORITHMS)
      ->processCollision(&one, &two, info_, &query);
}

void Narrowphase::findContacts(PairQuery& query) const {
  ContactSet& contacts = query.contacts;
  const std::size_t first = contacts.size();
  const Bounds whole = grown(query.i.bounds, query.range);
  for (const Element& b : query.j.elements) {
    const Bounds bounds = b.isHalfSpace() ? Bounds{} : rotatedBounds(b.bounds, query.X_IJ);
    const bool isNear = b.isHalfSpace() || overlap(bounds, whole);
    for (const Element& a : query.i.elements)
      if (a.isHalfSpace() || (isNear && (b.isHalfSpace() || overlap(a.bounds, grown(bounds, query.range)))))
        addElementPair(a, b, query);
  }
  const auto overlaps = [](const Contact& c) { return c.separation < 0; };
  const auto begin = contacts.begin() + static_cast<std::ptrdiff_t>(first);
  if (query.exitContact && std::none_of(begin, contacts.end(), overlaps))
    contacts.push_back(*query.exitContact);
  if (!query.isSorted) sortAndMerge(contacts, first);
}

}  // namespace tenon::physics::bullet
