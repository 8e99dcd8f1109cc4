// The query of a pair of bodies: its input in SI units, and the result to which Bullet's algorithms report.
#pragma once

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <cstdint>
#include <optional>

#include "physics/collision/bullet/body.h"
#include "physics/collision/collider.h"

namespace tenon::physics::bullet {

/// Collects all contacts of bodies i and j. (A btPersistentManifold keeps four.) Bullet's world is the frame
/// of body i.
/// The only kind of result that the algorithms of this folder accept.
struct PairQuery final : btManifoldResult {
  PairQuery(const Body& bodyI, const Body& bodyJ, BodyPair ids, const Pose& X_WBodyI, const Pose& X_WBodyJ,
            double maxSeparation, ContactSet& output);

  /// Bits of the next contact's feature.
  void setShapeIdentifiersA(int feature, int) override { feature_ = static_cast<std::uint32_t>(feature); }
  /// Appends a contact in the world's coordinates; in millimeters, the normal from j into i.
  void addContactPoint(const btVector3& normalOnJ, const btVector3& pointOnJ, btScalar depth) override;

  const Body &i, &j;
  const BodyPair pair;
  const RigidTransform X_WI, X_WJ, X_IJ, X_JI;
  const double range;                  ///< [m]
  ContactSet& contacts;                ///< in SI units
  std::uint64_t key = 0;               ///< of two elements: upper bits of the features of exact contacts
  bool isSorted;                       ///< the contacts are sorted and unique: those of a single exact pair
  std::optional<Contact> exitContact;  ///< the shallowest one of all pairs of convex parts

 private:
  std::uint64_t feature_ = 0;
};

}  // namespace tenon::physics::bullet
