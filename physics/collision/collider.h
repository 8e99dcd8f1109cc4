// The one interface of collision detection: pairs by bounds, contacts by pair.
//
// A contact is a question about two poses. findContacts() keeps no memory between calls, so that a
// step can ask again at every trial state and a replay cannot get another answer.
#pragma once

#include <span>
#include <vector>

#include "physics/collision/contact.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

/// Two bodies whose bounds meet; i < j.
struct BodyPair {
  BodyId i;                                           ///< the lower id
  BodyId j;                                           ///< the higher id
  auto operator<=>(const BodyPair&) const = default;  ///< by i, then by j
};

/// The bodies' shapes, and the distances between them at given poses.
class Collider {
 public:
  virtual ~Collider() = default;

  /// Adds the next body; ids count from 0 in the order of calls. `shape` is in the frame of the
  /// part, whose origin stands at `p_CP` [m] from the centre of mass C (axes parallel), so that all
  /// poses below are X_WC. Bodies that cannot move are never paired with each other.
  virtual BodyId addBody(const Shape& shape, const Vector3d& p_CP, bool canMove) = 0;

  /// Every pair whose axis-aligned bounds, each grown by its body's `reach` [m], overlap: sorted, no
  /// pair twice, none of two bodies that cannot move. One pose and reach for every body.
  /// Replaces `pairs`.
  virtual void findPairs(std::span<const Pose> X_WC, std::span<const double> searchMargin,
                         std::vector<BodyPair>& pairs) = 0;

  /// Appends to `contacts` those of `pair` at these poses with δ ≤ range [m], ordered by feature.
  ///
  /// Enough of them to hold a body still: at least two where a line touches, three where faces touch.
  /// A point is listed only where its surfaces face each other, so that δ ≥ 0 at all points means no
  /// overlap and small violations are measured exactly; where parts overlap, at least one δ < 0.
  /// A larger range adds contacts and changes none of the others. Safe to call from several threads
  /// for different output vectors, between calls of the members above. Allocates nothing but the
  /// growth of `contacts`.
  virtual void findContacts(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double range,
                            ContactSet& contacts) const = 0;

  /// True where one of a few planes proves that the bodies are at least `distance` apart at these poses [m;
  /// negative: overlap by no more]; false says nothing. Much cheaper than their contacts, and as safe to
  /// call.
  virtual bool isSeparated(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double distance) const = 0;

  /// True of pairs of which those planes tell all there is to tell: what they do not prove apart is hardly
  /// further from each other than that (corners that face each other across edges may be, by some half).
  virtual bool isSatExact(BodyPair pair) const = 0;

  /// Largest distance of a point of the body from its centre of mass [m]; infinite for a half-space.
  virtual double radius(BodyId body) const = 0;

  /// Smallest side of a box around any convex piece of the body [m]; infinite for a half-space.
  virtual double thickness(BodyId body) const = 0;
};

}  // namespace tenon::physics
