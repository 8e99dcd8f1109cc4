// Contacts whose distances follow from those of others of their pair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "physics/collision/contact.h"

namespace tenon::physics {

/// Removes, of corners of one pair of bodies on planes of one direction whose distances are linear in their
/// places, those inside of the convex hull of the others, with their entries in `compliance` [m/N]: their
/// distances are means of those of the hull, so that no small motion brings them nearer to the plane than the
/// nearest of these. Only rigid contacts: others share the load. Friction about the normal acts at the
/// corners that remain. Those of the features `kept`, ascending, remain in any case.
void removeImplied(ContactSet& contacts, std::vector<double>& compliance,
                   std::span<const std::uint64_t> kept = {});

/// The features of the corners that are rows of a problem, by pair.
class CornerRows {
 public:
  void clear() {
    features_.clear();
    ends_.clear();
  }
  /// Of the next pair, ascending by feature.
  void add(std::uint64_t feature) { features_.push_back(feature); }
  void finishPair() { ends_.push_back(features_.size()); }
  /// Empty for a pair that was not added.
  std::span<const std::uint64_t> of(std::size_t pair) const {
    if (pair >= ends_.size()) return {};
    const std::size_t first = pair > 0 ? ends_[pair - 1] : 0;
    return std::span(features_).subspan(first, ends_[pair] - first);
  }

 private:
  std::vector<std::uint64_t> features_;
  std::vector<std::size_t> ends_;  // by pair: index behind its last feature
};

}  // namespace tenon::physics
