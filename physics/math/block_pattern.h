// Sparsity pattern of a matrix of 6 × 6 blocks (one block row per body) and of its triangular factors, with a
// fill-reducing elimination order. Used by block_lu.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tenon::physics {

/// A nonzero pair of off-diagonal blocks, (first, second) and (second, first).
struct BodyCoupling {
  int first = 0, second = 0;
  bool operator==(const BodyCoupling&) const = default;
  auto operator<=>(const BodyCoupling&) const = default;
};

/// The pattern of the triangular factors of a structurally symmetric block matrix. Bodies are eliminated by
/// minimum degree (Tinney's second scheme: Tinney and Walker, Proc. IEEE 55, 1967); ties go to the lowest
/// body number. A position is a body's index in that order. Column c of the lower factor holds its diagonal
/// and its entries: the positions of the nonzero blocks below the diagonal, which are also those of row c of
/// the upper factor.
class BlockPattern {
 public:
  /// An entry of a column, found from its row.
  struct RowEntry {
    int column = 0;  ///< position
    int entry = 0;   ///< index into rows()
  };

  /// Computes the pattern for bodies 0 to bodies − 1 and `couplings`, given in any order; duplicates and
  /// self-couplings are allowed. Returns at once if the set of couplings is the same as in the last call;
  /// otherwise O(bodies²) comparisons and O(bodies · fill / 64) words, a fraction of a factorization.
  /// Allocates only when sizes exceed all previous ones.
  void analyze(int bodies, std::span<const BodyCoupling> couplings);

  int bodies() const { return bodies_; }
  /// Position of a body in the elimination order.
  int position(int body) const { return positions_[static_cast<std::size_t>(body)]; }
  /// Body at a position of the elimination order.
  int body(int position) const { return order_[static_cast<std::size_t>(position)]; }

  /// The entries of column `c`: indices into rows() from columnBegin(c) to columnBegin(c + 1).
  int columnBegin(int c) const { return columnBegins_[static_cast<std::size_t>(c)]; }
  /// The position of each entry, ascending within a column.
  std::span<const int> rows() const { return rows_; }
  /// The entries of row `r` left of the diagonal, by ascending column.
  std::span<const RowEntry> row(int r) const;

  /// The entry at (row, column), both positions with column < row, or −1 if it is zero. O(log entries).
  int find(int row, int column) const;

  /// Number of blocks below the diagonal, fill included.
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
  std::vector<BodyCoupling> lastInput_;  // as given to the last analyze()
  std::vector<BodyCoupling> couplings_;  // the same as a set: first < second, ascending
  std::vector<BodyCoupling> candidate_;  // the set of the next input, compared with couplings_
  std::vector<int> order_, positions_;
  std::vector<int> columnBegins_, rows_;
  std::vector<int> rowBegins_;
  std::vector<RowEntry> rowEntries_;

  // Graph of the bodies not yet eliminated: a bit row per body, and the number of its set bits.
  int words_ = 0;
  std::vector<std::uint64_t> graph_;
  std::vector<int> degrees_;
};

}  // namespace tenon::physics
