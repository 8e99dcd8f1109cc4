// See distance_cache.h.
#include "physics/step/distance_cache.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <tuple>
#include <utility>

#include "physics/contact/search_range.h"

namespace tenon::physics {

namespace {

/// Range of a query as a multiple of the margins [-]: a larger range keeps its result valid for longer.
constexpr double kRangeFactor = 4;
/// Largest part of that beyond the margins where a body is not convex [m]: the faces of a mesh have hundreds
/// of contacts within the margins of fast bodies, which outrun a result soon.
constexpr double kMoreRange = 2e-4;
/// Range of the first query of a pair that touched at the last one [m]: it mostly still does, and threads
/// have hundreds of contacts within a larger range.
constexpr double kShortRange = 5e-5;
/// Allowance for rounding of displacements, and far above it [m].
constexpr double kRoundingAllowance = 1e-9;

double queryRange(const Collider& collider, const BodyPair& pair, double range) {
  const bool areConvex = collider.isConvex(pair.i) && collider.isConvex(pair.j);
  return areConvex ? kRangeFactor * range : std::min(kRangeFactor * range, range + kMoreRange);
}

/// Upper bound on the displacement of a point of the body between two poses [m].
double displacementBetween(const Pose& from, const Pose& to, double radius) {
  // |q' − q| = 2 sin(θ/4), of the nearer of q' and −q'.
  const double chord = std::min((to.q.coeffs() - from.q.coeffs()).norm(),  //
                                (to.q.coeffs() + from.q.coeffs()).norm());
  return (to.p - from.p).norm() + radius * std::numbers::pi * chord;
}

/// Of the contacts of a pair; infinite: there are none.
double leastSeparation(std::span<const Contact> sorted, const BodyPair& pair) {
  const auto before = [](const Contact& c, const BodyPair& p) {
    return std::tie(c.i, c.j) < std::tie(p.i, p.j);
  };
  double least = std::numeric_limits<double>::infinity();
  for (auto at = std::lower_bound(sorted.begin(), sorted.end(), pair, before);
       at != sorted.end() && at->i == pair.i && at->j == pair.j; ++at)
    least = std::min(least, at->separation);
  return least;
}

}  // namespace

void DistanceCache::findTouching(const Collider& collider, std::span<const Pose> X_WC,
                                 std::span<const double> radius, std::span<const BodyPair> pairs,
                                 std::span<const double> searchMargin, std::span<const double> thickness,
                                 std::span<const Contact> known, std::vector<BodyPair>& touching) {
  touching.clear();
  next_.clear();
  auto at = cache_.begin();
  for (const BodyPair& pair : pairs) {
    const int i = pair.i.value, j = pair.j.value;
    const double range = searchRange(searchMargin[i] + searchMargin[j], thickness[i], thickness[j]);
    if (collider.isSatExact(pair)) {
      if (!collider.isSeparated(pair, X_WC[i], X_WC[j], range)) touching.push_back(pair);
      continue;
    }
    const auto [smaller, larger] = radius[i] < radius[j] ? std::pair(i, j) : std::pair(j, i);
    const Pose X_LS = X_WC[larger].inverse() * X_WC[smaller];
    while (at != cache_.end() && at->pair < pair) ++at;
    if (at != cache_.end() && at->pair == pair) {
      const double displacement = displacementBetween(at->X_LS, X_LS, radius[smaller]) + kRoundingAllowance;
      // The depth of an overlap may be more than the displacement that ends it.
      const bool within = at->found && std::max(0.0, at->nearest) + displacement <= range;
      if (within) touching.push_back(pair);
      if (within || at->nearest - displacement > range) {
        next_.push_back(*at);
        continue;
      }
    }
    CachedDistance entry{pair, queryRange(collider, pair, range), false, X_LS};
    if (const double separation = leastSeparation(known, pair); separation <= range - kRoundingAllowance) {
      entry.nearest = separation;
      entry.found = true;
      touching.push_back(pair);
      next_.push_back(entry);
      continue;
    }
    const bool touched = at != cache_.end() && at->pair == pair && at->found && at->nearest <= kShortRange;
    found_.clear();
    if (touched) collider.findContacts(pair, X_WC[i], X_WC[j], std::min(range, kShortRange), found_);
    if (found_.empty()) collider.findContacts(pair, X_WC[i], X_WC[j], entry.nearest, found_);
    entry.found = !found_.empty();
    for (const Contact& contact : found_) entry.nearest = std::min(entry.nearest, contact.separation);
    if (entry.found && entry.nearest <= range) touching.push_back(pair);
    next_.push_back(entry);
  }
  std::swap(cache_, next_);
}

}  // namespace tenon::physics
