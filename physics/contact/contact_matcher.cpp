// See contact_matcher.h.
#include "physics/contact/contact_matcher.h"

#include <cmath>

namespace tenon::physics {

const ContactRow* ContactMatcher::match(const ContactRow& solved) {
  const ContactKey found = solved.key.isSwept() ? solved.key : solved.key.withoutCut();
  if (first_ > 0 && rows_[first_ - 1].key.pair >= found.pair) first_ = 0;
  while (first_ < rows_.size() && rows_[first_].key.pair < found.pair) ++first_;
  const ContactRow* nearest = nullptr;
  for (std::size_t k = first_; k < rows_.size() && rows_[k].key.pair == found.pair; ++k) {
    const ContactRow& row = rows_[k];
    if (row.key == found) return &row;
    if (row.key.isSwept() || row.contact.n.dot(solved.contact.n) < kSameSide) continue;
    const auto difference = [&](const ContactRow& other) {
      return solved.rigid ? std::abs(other.contact.separation)
                          : (other.contact.p - solved.contact.p).squaredNorm();
    };
    if (!nearest || difference(row) < difference(*nearest)) nearest = &row;
  }
  return nearest;
}

}  // namespace tenon::physics
