// See contact_matcher.h.
#include "physics/contact/contact_matcher.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::physics {

const ContactRow* ContactMatcher::match(const ContactRow& solved) {
  const ContactKey found = solved.key.isSwept() ? solved.key : solved.key.withoutCut();
  if (first_ > 0 && rows_[first_ - 1].key.pair >= found.pair) first_ = 0;
  while (first_ < rows_.size() && rows_[first_].key.pair < found.pair) ++first_;
  const auto same =
      std::lower_bound(rows_.begin() + static_cast<std::ptrdiff_t>(first_), rows_.end(), found,
                       [](const ContactRow& row, const ContactKey& key) { return row.key < key; });
  if (same != rows_.end() && same->key == found) return &*same;
  const ContactRow* nearest = nullptr;
  for (std::size_t k = first_; k < rows_.size() && rows_[k].key.pair == found.pair; ++k) {
    const ContactRow& row = rows_[k];
    if (row.key.isSwept() || row.contact.n.dot(solved.contact.n) < kSameSide) continue;
    const auto difference = [&](const ContactRow& other) {
      return solved.rigid ? std::abs(other.contact.separation)
                          : (other.contact.p - solved.contact.p).squaredNorm();
    };
    if (!nearest || difference(row) < difference(*nearest)) nearest = &row;
  }
  return nearest;
}

const ContactRow* nearestRow(const std::vector<ContactRow>& rows, std::uint64_t pair, const Vector3d& p,
                             const Vector3d* normal) {
  const ContactRow* nearest = nullptr;
  double smallest = std::numeric_limits<double>::infinity();
  for (auto row = lowerBound(rows, {pair, 0, 0}); row != rows.end() && row->key.pair == pair; ++row) {
    const double squared = (row->contact.p - p).squaredNorm();
    if (!(squared < smallest) || (normal && !(row->contact.n.dot(*normal) >= ContactMatcher::kSameSide)))
      continue;
    smallest = squared;
    nearest = &*row;
  }
  return nearest;
}

}  // namespace tenon::physics
