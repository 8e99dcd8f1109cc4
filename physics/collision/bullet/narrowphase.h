// Contacts of pairs of bodies, through Bullet's dispatcher.
#pragma once

#include <BulletCollision/BroadphaseCollision/btDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>

#include <deque>

#include "physics/collision/bullet/pair_algorithm.h"
#include "physics/collision/bullet/pair_query.h"

namespace tenon::physics::bullet {

/// Convex parts for all pairs of types, without pools, since PairAlgorithms are never allocated.
struct ConvexPartsConfiguration final : btCollisionConfiguration {
  btPoolAllocator* getPersistentManifoldPool() override { return nullptr; }
  btPoolAllocator* getCollisionAlgorithmPool() override { return nullptr; }
  btCollisionAlgorithmCreateFunc* getCollisionAlgorithmCreateFunc(int, int) override { return &algorithm; }
  btCollisionAlgorithmCreateFunc* getClosestPointsAlgorithmCreateFunc(int, int) override {
    return &algorithm;
  }
  ConvexPartsAlgorithm algorithm;
};

/// A btCollisionDispatcher in which an ExactAlgorithm is registered for each pair of types with exact
/// contacts, the ThreadsAlgorithm for a thread in another, and the SolidsAlgorithm for each pair with a
/// polyhedron.
class Narrowphase {
 public:
  Narrowphase();
  Narrowphase(const Narrowphase&) = delete;  // the dispatcher refers to its configuration and algorithms
  Narrowphase& operator=(const Narrowphase&) = delete;

  /// True if the dispatcher finds an algorithm other than that of convex parts for the pair.
  bool isExact(const Element& a, const Element& b) const;
  /// True if their contacts are those of their faces, edges and vertices: both have a solid.
  bool hasContactsOfSolids(const Element& a, const Element& b) const;
  /// Appends the query's contacts, element by element, sorted by feature. Safe to call from several threads.
  void findContacts(PairQuery& query) const;

 private:
  const btCollisionAlgorithm* algorithmOf(const Element& a, const Element& b) const;
  void add(ElementType a, ElementType b, ExactContacts contacts, bool swapped = false);
  /// Pairs of a solid of revolution of this type with those of other shapes.
  void addRevolved(ElementType type);
  void addBothOrders(ElementType a, ElementType b, ExactContacts contacts);
  void addElementPair(const Element& a, const Element& b, PairQuery& query) const;

  ConvexPartsConfiguration configuration_;
  std::deque<ExactAlgorithm> exact_;
  SolidsAlgorithm solids_;
  ThreadsAlgorithm threads_{false}, swappedThreads_{true};
  // findAlgorithm() is not const, but only reads the table.
  mutable btCollisionDispatcher dispatcher_{&configuration_};
  btDispatcherInfo info_;
};

}  // namespace tenon::physics::bullet
