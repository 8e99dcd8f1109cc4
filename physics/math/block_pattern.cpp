// Minimum-degree elimination on bit rows. Eliminating a body couples all its neighbors with each other: its
// bit row is OR-ed into theirs, 64 bodies at a time. Its neighbors at that moment are the entries of its
// column.
#include "physics/math/block_pattern.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace tenon::physics {
namespace {

constexpr int kWordBits = 64;
/// Degree of an eliminated body: never the minimum.
constexpr int kEliminated = std::numeric_limits<int>::max();

void set(std::span<std::uint64_t> bits, int k) {
  bits[static_cast<std::size_t>(k / kWordBits)] |= std::uint64_t{1} << (k % kWordBits);
}

void clear(std::span<std::uint64_t> bits, int k) {
  bits[static_cast<std::size_t>(k / kWordBits)] &= ~(std::uint64_t{1} << (k % kWordBits));
}

/// Calls `visit` with the index of each set bit, ascending.
template <class Visit>
void eachSet(std::span<const std::uint64_t> bits, Visit visit) {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
      visit(static_cast<int>(w) * kWordBits + std::countr_zero(left));
  }
}

int count(std::span<const std::uint64_t> bits) {
  int sum = 0;
  for (const std::uint64_t word : bits) sum += std::popcount(word);
  return sum;
}

}  // namespace

void BlockPattern::analyze(int bodies, std::span<const BodyCoupling> couplings) {
  if (matchesLastInput(bodies, couplings)) return;
  bodies_ = bodies;
  buildGraph();
  order_.clear();
  rows_.clear();
  columnBegins_.assign(1, 0);
  for (int k = 0; k < bodies; ++k) eliminate(minimumDegreeBody());
  numberColumns();
  gatherRows();
}

/// True if the last analysis is still valid; otherwise couplings_ is replaced by the new set.
bool BlockPattern::matchesLastInput(int bodies, std::span<const BodyCoupling> couplings) {
  if (bodies == bodies_ &&
      std::equal(couplings.begin(), couplings.end(), lastInput_.begin(), lastInput_.end()))
    return true;
  lastInput_.assign(couplings.begin(), couplings.end());
  candidate_.clear();
  for (const BodyCoupling& c : couplings) {
    assert(c.first >= 0 && c.first < bodies && c.second >= 0 && c.second < bodies);
    if (c.first != c.second) candidate_.push_back({std::min(c.first, c.second), std::max(c.first, c.second)});
  }
  std::sort(candidate_.begin(), candidate_.end());
  candidate_.erase(std::unique(candidate_.begin(), candidate_.end()), candidate_.end());
  if (bodies == bodies_ && candidate_ == couplings_) return true;
  couplings_ = candidate_;
  return false;
}

std::span<std::uint64_t> BlockPattern::neighbors(int body) {
  const auto words = static_cast<std::size_t>(words_);
  return std::span(graph_).subspan(static_cast<std::size_t>(body) * words, words);
}

void BlockPattern::buildGraph() {
  const auto n = static_cast<std::size_t>(bodies_);
  words_ = (bodies_ + kWordBits - 1) / kWordBits;
  graph_.assign(n * static_cast<std::size_t>(words_), 0);
  for (const BodyCoupling& c : couplings_) {
    set(neighbors(c.first), c.second);
    set(neighbors(c.second), c.first);
  }
  degrees_.resize(n);
  for (int k = 0; k < bodies_; ++k) degrees_[static_cast<std::size_t>(k)] = count(neighbors(k));
}

int BlockPattern::minimumDegreeBody() const {
  // Unlike std::min_element this loop vectorizes.
  int minimum = kEliminated;
  for (const int degree : degrees_) minimum = std::min(minimum, degree);
  return static_cast<int>(std::find(degrees_.begin(), degrees_.end(), minimum) - degrees_.begin());
}

/// Appends the column of `body` (as body numbers) and removes the body from the graph.
void BlockPattern::eliminate(int body) {
  const std::span<std::uint64_t> own = neighbors(body);
  order_.push_back(body);
  eachSet(own, [&](int other) {
    rows_.push_back(other);
    const std::span<std::uint64_t> bits = neighbors(other);
    for (std::size_t w = 0; w < bits.size(); ++w) bits[w] |= own[w];
    clear(bits, other);
    clear(bits, body);
    degrees_[static_cast<std::size_t>(other)] = count(bits);
  });
  degrees_[static_cast<std::size_t>(body)] = kEliminated;
  columnBegins_.push_back(static_cast<int>(rows_.size()));
}

/// Replaces the body numbers in rows_ by positions.
void BlockPattern::numberColumns() {
  positions_.resize(static_cast<std::size_t>(bodies_));
  for (int k = 0; k < bodies_; ++k) positions_[static_cast<std::size_t>(body(k))] = k;
  for (int& row : rows_) row = position(row);
  for (int c = 0; c < bodies_; ++c)
    std::sort(rows_.begin() + columnBegin(c), rows_.begin() + columnBegin(c + 1));
}

/// Builds the row-wise index of the same entries.
void BlockPattern::gatherRows() {
  const auto n = static_cast<std::size_t>(bodies_);
  rowBegins_.assign(n + 1, 0);
  for (const int row : rows_) ++rowBegins_[static_cast<std::size_t>(row) + 1];
  for (std::size_t r = 0; r < n; ++r) rowBegins_[r + 1] += rowBegins_[r];
  rowEntries_.resize(rows_.size());
  // Each rowBegins_[r] advances to the end of its row, which is where the next row begins.
  for (int c = 0; c < bodies_; ++c) {
    for (int e = columnBegin(c); e < columnBegin(c + 1); ++e) {
      int& end = rowBegins_[static_cast<std::size_t>(rows_[static_cast<std::size_t>(e)])];
      rowEntries_[static_cast<std::size_t>(end++)] = {c, e};
    }
  }
  std::copy_backward(rowBegins_.begin(), rowBegins_.end() - 1, rowBegins_.end());
  rowBegins_.front() = 0;
}

std::span<const BlockPattern::RowEntry> BlockPattern::row(int r) const {
  const int begin = rowBegins_[static_cast<std::size_t>(r)],
            end = rowBegins_[static_cast<std::size_t>(r) + 1];
  return std::span(rowEntries_)
      .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

int BlockPattern::find(int row, int column) const {
  const auto begin = rows_.begin() + columnBegin(column), end = rows_.begin() + columnBegin(column + 1);
  const auto found = std::lower_bound(begin, end, row);
  return found != end && *found == row ? static_cast<int>(found - rows_.begin()) : -1;
}

}  // namespace tenon::physics
