// See pair_memory.h.
#include "physics/step/distance_cache.h"

#include <algorithm>
#include <numbers>
#include <utility>

namespace tenon::physics {

namespace {

/// Pairs are looked at this much further than they are searched for contacts, so that the answer lasts [-].
constexpr double kAhead = 4;
/// Far above the rounding of a way [m].
constexpr double kSlack = 1e-9;

/// Bound on how far a point of the body went [m].
double wayBetween(const Pose& from, const Pose& to, double radius) {
  // |q' − q| = 2 sin(θ/4), of the nearer of q' and −q'.
  const double chord = std::min((to.q.coeffs() - from.q.coeffs()).norm(),  //
                                (to.q.coeffs() + from.q.coeffs()).norm());
  return (to.p - from.p).norm() + radius * std::numbers::pi * chord;
}

}  // namespace

void DistanceCache::findTouching(const Collider& collider, std::span<const Pose> X_WC,
                                 std::span<const double> radius, std::span<const BodyPair> pairs,
                                 std::span<const double> searchMargin, std::vector<BodyPair>& touching) {
  touching.clear();
  next_.clear();
  auto at = cache_.begin();
  for (const BodyPair& pair : pairs) {
    const int i = pair.i.value, j = pair.j.value;
    const double range = searchMargin[i] + searchMargin[j];
    if (collider.isSatExact(pair)) {
      if (!collider.isSeparated(pair, X_WC[i], X_WC[j], range)) touching.push_back(pair);
      continue;
    }
    const auto [smaller, larger] = radius[i] < radius[j] ? std::pair(i, j) : std::pair(j, i);
    const Pose seen = X_WC[larger].inverse() * X_WC[smaller];
    while (at != cache_.end() && at->pair < pair) ++at;
    if (at != cache_.end() && at->pair == pair) {
      const double since = wayBetween(at->seen, seen, radius[smaller]) + kSlack;
      // How deep an overlap is told may be more than the way out of it.
      const bool within = at->found && std::max(0.0, at->nearest) + since <= range;
      if (within) touching.push_back(pair);
      if (within || at->nearest - since > range) {
        next_.push_back(*at);
        continue;
      }
    }
    found_.clear();
    collider.findContacts(pair, X_WC[i], X_WC[j], kAhead * range, found_);
    CachedDistance known{pair, kAhead * range, !found_.empty(), seen};
    for (const Contact& contact : found_) known.nearest = std::min(known.nearest, contact.separation);
    if (known.found && known.nearest <= range) touching.push_back(pair);
    next_.push_back(known);
  }
  std::swap(cache_, next_);
}

}  // namespace tenon::physics
