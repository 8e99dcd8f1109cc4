// See pair_memory.h.
#include "physics/step/pair_memory.h"

#include <algorithm>
#include <numbers>

namespace tenon::physics {

namespace {

/// Pairs are looked at this much further than they are searched for contacts, so that the answer lasts [-].
constexpr double kAhead = 4;
/// Far above the rounding of sums of ways up to kFarthest, after which they begin anew [m].
constexpr double kSlack = 1e-9, kFarthest = 10;

/// Bound on how far a point of the body went [m].
double wayBetween(const Pose& from, const Pose& to, double radius) {
  const bool turned = from.q.coeffs() != to.q.coeffs();
  const double way = (to.p - from.p).norm();
  if (!turned) return way;
  // |q' − q| = 2 sin(θ/4), of the nearer of q' and −q'.
  const double chord = std::min((to.q.coeffs() - from.q.coeffs()).norm(),  //
                                (to.q.coeffs() + from.q.coeffs()).norm());
  return way + radius * std::numbers::pi * chord;
}

}  // namespace

void PairMemory::moveTo(std::span<const Pose> X_WC, std::span<const double> radius) {
  if (poses_.size() != X_WC.size()) {
    poses_.assign(X_WC.begin(), X_WC.end());
    travelled_.assign(X_WC.size(), 0.0);
    known_.clear();
  }
  for (std::size_t i = 0; i < X_WC.size(); ++i) {
    travelled_[i] += wayBetween(poses_[i], X_WC[i], radius[i]);
    poses_[i] = X_WC[i];
  }
  if (std::all_of(travelled_.begin(), travelled_.end(), [](double way) { return way <= kFarthest; })) return;
  std::fill(travelled_.begin(), travelled_.end(), 0.0);
  known_.clear();
}

PairMemory::Known PairMemory::ask(const Collider& collider, const BodyPair& pair, double range) {
  const int i = pair.i.value, j = pair.j.value;
  found_.clear();
  collider.findContacts(pair, poses_[i], poses_[j], kAhead * range, found_);
  Known known{pair, kAhead * range, !found_.empty(), travelled_[i] + travelled_[j]};
  for (const Contact& contact : found_) known.nearest = std::min(known.nearest, contact.delta);
  return known;
}

void PairMemory::findTouching(const Collider& collider, std::span<const BodyPair> pairs,
                              std::span<const double> reach, std::vector<BodyPair>& touching) {
  touching.clear();
  next_.clear();
  auto at = known_.begin();
  for (const BodyPair& pair : pairs) {
    const int i = pair.i.value, j = pair.j.value;
    const double range = reach[i] + reach[j];
    while (at != known_.end() && at->pair < pair) ++at;
    bool decided = false;
    if (at != known_.end() && at->pair == pair) {
      const double since = travelled_[i] + travelled_[j] - at->travelled + kSlack;
      // How deep an overlap is told may be more than the way out of it.
      const bool within = at->found && std::max(0.0, at->nearest) + since <= range;
      decided = within || at->nearest - since > range;
      if (within) touching.push_back(pair);
    }
    next_.push_back(decided ? *at : ask(collider, pair, range));
    if (!decided && next_.back().found && next_.back().nearest <= range) touching.push_back(pair);
  }
  std::swap(known_, next_);
}

}  // namespace tenon::physics
