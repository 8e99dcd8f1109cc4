// The contact rows of each pair of an island as of the last linearization, for pairs that can reuse them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "physics/contact/linearized_contacts.h"

namespace tenon::physics {

/// Velocities at which a pair's contacts were last queried [m/s, rad/s], zero for bodies not in the island,
/// and the range of the query [m].
struct PairQuery {
  Vector6d ui, uj;
  double range = 0;
};

/// Owns copies of the rows: solvers take those of the problem. Pairs are numbered from 0 and added in order;
/// what is added becomes visible with commit().
class PairRowCache {
 public:
  void clear() { queries_.clear(); }
  bool empty() const { return queries_.empty(); }

  const PairQuery& query(std::size_t pair) const { return queries_[pair].query; }
  std::span<const ContactRow> rows(std::size_t pair) const {
    const std::size_t first = pair > 0 ? queries_[pair - 1].end : 0;
    return std::span(rows_).subspan(first, queries_[pair].end - first);
  }

  /// Adds the next pair of the next linearization.
  void add(const PairQuery& query, std::span<const ContactRow> rows) {
    nextRows_.insert(nextRows_.end(), rows.begin(), rows.end());
    nextQueries_.push_back({query, nextRows_.size()});
  }
  /// Replaces the content by what was added since the last commit().
  void commit() {
    std::swap(rows_, nextRows_);
    std::swap(queries_, nextQueries_);
    nextRows_.clear();
    nextQueries_.clear();
  }

 private:
  struct Entry {
    PairQuery query;
    std::size_t end = 0;  ///< index behind the pair's last row
  };
  std::vector<ContactRow> rows_, nextRows_;
  std::vector<Entry> queries_, nextQueries_;
};

}  // namespace tenon::physics
