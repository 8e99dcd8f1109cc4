// Pairs of solids by their boundaries: findSolidContacts().
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>

#include <cassert>
#include <vector>

#include "physics/collision/brep/solid_contacts.h"
#include "physics/collision/bullet/pair_algorithm.h"
#include "physics/collision/bullet/pair_query.h"

namespace tenon::physics::bullet {
namespace {

/// Distributes the keys of pairs of elements over 64 bits, 0 to 0, so that features of different pairs of a
/// compound differ (G. L. Steele et al., Fast splittable pseudorandom number generators, OOPSLA 2014).
std::uint64_t scrambled(std::uint64_t key) {
  key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
  key = (key ^ key >> 27) * 0x94d049bb133111ebu;
  return key ^ key >> 31;
}

/// A corner of one solid on a plane of the other.
bool isCorner(const brep::SolidContact& contact, const brep::Solid& a, const brep::Solid& b) {
  constexpr std::uint64_t kFeature = 0xffffff;
  const auto ofA = static_cast<int>(contact.feature >> 40),
             ofB = static_cast<int>(contact.feature >> 16 & kFeature);
  const auto isPlane = [](const brep::Solid& solid, int feature) {
    return feature < solid.firstEdge() &&
           solid.faces[static_cast<std::size_t>(feature)].surface.kind == SurfaceKind::plane;
  };
  return (ofA >= a.firstVertex() && isPlane(b, ofB)) || (ofB >= b.firstVertex() && isPlane(a, ofA));
}

}  // namespace

void SolidsAlgorithm::processCollision(const btCollisionObjectWrapper* body0,
                                       const btCollisionObjectWrapper* body1, const btDispatcherInfo&,
                                       btManifoldResult* result) {
  assert(dynamic_cast<PairQuery*>(result) != nullptr);
  auto& query = static_cast<PairQuery&>(*result);
  const auto& a = static_cast<const Element&>(*body0->getCollisionShape());
  const auto& b = static_cast<const Element&>(*body1->getCollisionShape());
  const RigidTransform X_IB{query.X_IJ.R * b.X_CE.R, query.X_IJ.point(b.X_CE.p)};
  const RigidTransform X_BI = X_IB.inverse();
  const Pose X_BA{Quaterniond(Matrix3d(X_BI.R * a.X_CE.R)).normalized(), X_BI.point(a.X_CE.p)};
  thread_local std::vector<brep::SolidContact> found;  // buffer of one query: only its capacity is reused
  found.clear();
  const auto bodies = static_cast<std::uint64_t>(query.pair.i.value) << 32 |
                      static_cast<std::uint64_t>(static_cast<std::uint32_t>(query.pair.j.value));
  brep::findSolidContacts(*a.solid, *b.solid, X_BA, query.range, found, brep::PairSearchMode::tree,
                          bodies ^ scrambled(query.key));
  for (const brep::SolidContact& c : found) {
    Contact contact;
    contact.i = query.pair.i;
    contact.j = query.pair.j;
    contact.p = query.X_WI.point(X_IB.point(c.p));
    contact.n = query.X_WI.vector(X_IB.vector(c.n));
    contact.separation = c.separation;
    contact.feature = c.feature ^ scrambled(query.key);
    contact.isCorner = isCorner(c, *a.solid, *b.solid);
    query.contacts.push_back(contact);
  }
}

}  // namespace tenon::physics::bullet
