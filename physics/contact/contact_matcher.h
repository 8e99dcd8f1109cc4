// Which contact of a state corresponds to one of an earlier linearization.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "physics/contact/linearized_contacts.h"

namespace tenon::physics {

/// Finds the contacts of the state reached that correspond to solved ones. Both are sorted by key, and rows
/// are searched onward from the last pair; a pair out of order restarts the search.
class ContactMatcher {
 public:
  /// Least cosine between the normals of corresponding contacts [-].
  static constexpr double kSameSide = 0.9;

  explicit ContactMatcher(const LinearizedContacts& problem) : rows_(problem.rows) {}

  /// The contact that corresponds to `solved`: the same feature, or, where that no longer faces the other
  /// part, the contact of the pair nearest to touching (a rim that has rolled on touches with another of its
  /// points). Null where the pair has none.
  const ContactRow* match(const ContactRow& solved);

 private:
  std::span<const ContactRow> rows_;
  std::size_t first_ = 0;  // of the last pair matched
};

/// The row of `pair` whose point is nearest to `p`, of rows sorted by key; with `normal`, only of those about
/// the same normal (ContactMatcher::kSameSide). Null where there is none.
const ContactRow* nearestRow(const std::vector<ContactRow>& rows, std::uint64_t pair, const Vector3d& p,
                             const Vector3d* normal = nullptr);

}  // namespace tenon::physics
