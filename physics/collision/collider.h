// Interface of collision detection: pairs by bounds, contacts by pair.
//
// Contacts depend only on two poses. findContacts() keeps no state between calls, so a step can evaluate it
// at every trial state and a replay computes the same contacts.
#pragma once

#include <span>
#include <vector>

#include "physics/collision/contact.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::physics {

/// Two bodies whose bounds overlap; i < j.
struct BodyPair {
  BodyId i;                                           ///< the lower id
  BodyId j;                                           ///< the higher id
  auto operator<=>(const BodyPair&) const = default;  ///< by i, then by j
};

/// The bodies' shapes, and the distances between them at given poses.
class Collider {
 public:
  virtual ~Collider() = default;

  /// Adds the next body; ids count from 0 in the order of calls. `shape` is in the frame P of the part, whose
  /// origin is at `p_CP` [m] from the center of mass C (axes parallel); all poses below are X_WC. Bodies with
  /// canMove = false are never paired with each other.
  virtual BodyId addBody(const Shape& shape, const Vector3d& p_CP, bool canMove) = 0;

  /// Replaces `pairs` by all pairs whose axis-aligned bounds overlap, each grown by its body's `searchMargin`
  /// [m]: sorted and unique, without pairs of two immovable bodies. One pose and one margin per body.
  virtual void findPairs(std::span<const Pose> X_WC, std::span<const double> searchMargin,
                         std::vector<BodyPair>& pairs) = 0;

  /// Appends to `contacts` those of `pair` at these poses with δ ≤ range [m], ordered by feature.
  ///
  /// At least two points for a contact along a line, three for one over an area. A point is listed only if
  /// its surfaces face each other: δ ≥ 0 at all points means no overlap, small overlaps are measured exactly,
  /// and if parts overlap at least one δ < 0, except where sampledOverlap() is needed. A larger range adds
  /// contacts and changes none. May be called from several threads with different outputs, but not during the
  /// members above. Allocates only to grow `contacts`.
  virtual void findContacts(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double range,
                            ContactSet& contacts) const = 0;

  /// A lower bound of the overlap of parts that collide on their own faces [m], from samples of the curved
  /// ones; 0 for other shapes. For poses that no step led to: where no sharp edge crosses a face, and deeper
  /// than a quarter of the thinnest wall or smallest curved face, findContacts() has no contact. Takes up to
  /// tenths of a second for parts of some hundred curved faces.
  virtual double sampledOverlap(BodyPair /*pair*/, const Pose& /*X_WI*/, const Pose& /*X_WJ*/) const {
    return 0;
  }

  /// True if a separating axis (a face normal, or the cross product of two edges) proves that the bodies are
  /// separated by more than `distance` [m; negative: overlap by less]; false proves nothing. Much cheaper
  /// than findContacts(), and as thread-safe.
  virtual bool isSeparated(BodyPair pair, const Pose& X_WI, const Pose& X_WJ, double distance) const = 0;

  /// True if the separating-axis candidates are exact for this pair; only vertex-vertex gaps are
  /// underestimated (by up to about half).
  virtual bool isSatExact(BodyPair pair) const = 0;

  /// Largest distance of a point of the body from its center of mass [m]; infinite for a half-space.
  virtual double radius(BodyId body) const = 0;

  /// Smallest side of the bounding boxes of the body's shapes, of a ring also its wall [m]; infinite for a
  /// half-space.
  virtual double thickness(BodyId body) const = 0;

  /// True if the body is one convex part.
  virtual bool isConvex(BodyId body) const = 0;
};

}  // namespace tenon::physics
