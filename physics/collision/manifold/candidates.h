// The contacts found between two convex parts so far, and the closest of them.
#pragma once

#include <limits>

#include "physics/collision/contact.h"
#include "physics/collision/manifold/convex_pair.h"
#include "physics/collision/manifold/feature_id.h"

namespace tenon::physics {

class Candidates {
 public:
  /// A candidate without its point; until one is found, infinitely far and without a normal.
  struct Closest {
    double separation = std::numeric_limits<double>::infinity();
    int side = 0;
    Vector3d n = Vector3d::Zero();  ///< in the frame of `side`, to the other side
  };

  /// Contacts within the range are appended to `contacts`, which together with `pair` must outlive this.
  Candidates(const ConvexPair& pair, BodyId i, BodyId j, ContactSet& contacts)
      : pair_(pair), i_(i), j_(j), contacts_(contacts) {}

  /// From now on candidates only count for closest().
  void stopListing() { isListing_ = false; }

  /// `p`: the point of side s, in its frame; `n` points to the other side. Listed as a contact if
  /// `isContact`, else it counts only for closest(): points on seams.
  void add(int s, const Vector3d& p, const Vector3d& n, double separation, const FeatureId& id,
           bool isContact = true);

  /// The contact of a candidate, in the world.
  Contact contactAt(int s, const Vector3d& p, const Vector3d& n, double separation,
                    const FeatureId& id) const;

  const Closest& closest() const { return closest_; }

 private:
  const ConvexPair& pair_;
  BodyId i_, j_;
  ContactSet& contacts_;
  Closest closest_;
  bool isListing_ = true;
};

}  // namespace tenon::physics
