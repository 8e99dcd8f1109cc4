// Distances of pairs from earlier steps. A pair is queried again only when its cached distance no longer
// decides whether it can touch.
#pragma once

#include <span>
#include <vector>

#include "physics/collision/collider.h"

namespace tenon::physics {

/// A distance changes by no more than the relative displacement of the bodies (conservative advancement: B.
/// Mirtich, Impulse-based dynamic simulation of rigid body systems, 1996, section 2.3). The results equal
/// those of a query, so that a restored world with an empty cache continues with the same bytes.
class DistanceCache {
 public:
  /// Replaces `touching` by those of the sorted `pairs` with a contact within the sum of their bodies'
  /// margins, within their searchRange() [m]. By body: poses, `radius` about the center of mass [m], margins,
  /// and `thickness` [m]. `known`: contacts at these poses, sorted by pair, which need no query.
  void findTouching(const Collider& collider, std::span<const Pose> X_WC, std::span<const double> radius,
                    std::span<const BodyPair> pairs, std::span<const double> searchMargin,
                    std::span<const double> thickness, std::span<const Contact> known,
                    std::vector<BodyPair>& touching);

 private:
  struct CachedDistance {
    BodyPair pair;
    double nearest = 0;  ///< distance [m]; if no contact was found, the range of the query
    bool found = false;
    Pose X_LS;  ///< pose of the smaller body at the query, in the frame of the larger one
  };

  std::vector<CachedDistance> cache_, next_;
  ContactSet found_;
};

}  // namespace tenon::physics
