// Which 6 × 6 blocks of a matrix over bodies are not zero, before and after elimination, and an order of
// elimination in which few become so: what block_cholesky.h and block_lu.h share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tenon::physics {

/// Two bodies whose blocks couple: (first, second) and (second, first).
struct BodyCoupling {
  int first = 0, second = 0;
  bool operator==(const BodyCoupling&) const = default;
  auto operator<=>(const BodyCoupling&) const = default;
};

/// The pattern of the triangular factors of a structurally symmetric block matrix. Bodies are eliminated in
/// the order of least degree (Tinney's second scheme: Tinney and Walker, Proc. IEEE 55, 1967): next is always
/// the body that couples with fewest others left, the one with the lowest number among equals. Positions
/// count bodies in that order. Column c of the lower factor holds its diagonal and its entries, the positions
/// below the diagonal that are not zero; by symmetry they are those of row c of the upper factor.
class BlockPattern {
 public:
  /// An entry of a column, found from its row.
  struct RowEntry {
    int column = 0;  ///< position
    int entry = 0;   ///< index into rows()
  };

  /// Finds the pattern of `bodies` bodies that couple as `couplings` says: numbers from 0 to bodies − 1, in
  /// any order, twice or coupled with themselves at will. The work is done again only where the set of
  /// couplings is another than last time: O(bodies²) comparisons and O(bodies · fill / 64) words, that is a
  /// fraction of a factorisation. Allocates only where there is more than ever before.
  void analyze(int bodies, std::span<const BodyCoupling> couplings);

  int bodies() const { return bodies_; }
  /// Which elimination comes when: body → position.
  int position(int body) const { return positions_[static_cast<std::size_t>(body)]; }
  /// And back.
  int body(int position) const { return order_[static_cast<std::size_t>(position)]; }

  /// The entries of column `c`: indices into rows() from columnBegin(c) to columnBegin(c + 1).
  int columnBegin(int c) const { return columnBegins_[static_cast<std::size_t>(c)]; }
  /// The position of each entry, ascending within a column.
  std::span<const int> rows() const { return rows_; }
  /// The entries of row `r` left of the diagonal, by ascending column.
  std::span<const RowEntry> row(int r) const;

  /// The entry of position `row` in column `column` < row, or −1 where it is zero. O(log entries).
  int find(int row, int column) const;

  /// Blocks below the diagonal, those that fill in included.
  int entryCount() const { return static_cast<int>(rows_.size()); }

 private:
  bool matchesLastInput(int bodies, std::span<const BodyCoupling> couplings);
  void buildGraph();
  int minimumDegreeBody() const;
  void eliminate(int body);
  void numberColumns();
  void gatherRows();
  std::span<std::uint64_t> neighbors(int body);

  int bodies_ = -1;
  std::vector<BodyCoupling> lastInput_;  // as handed in last
  std::vector<BodyCoupling> couplings_;  // the same as a set: first < second, ascending
  std::vector<BodyCoupling> next_;       // a set that is compared with it
  std::vector<int> order_, positions_;
  std::vector<int> columnBegins_, rows_;
  std::vector<int> rowBegins_;
  std::vector<RowEntry> rowEntries_;

  // The graph of the bodies not yet eliminated: one row of bits for each, and how many are set.
  int words_ = 0;
  std::vector<std::uint64_t> graph_;
  std::vector<int> degrees_;
};

}  // namespace tenon::physics
