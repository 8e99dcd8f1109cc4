// See burr.h.
#include "tests/support/burr.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>

namespace tenon::tests {

namespace {

using Eigen::Vector3i;

constexpr int kSide = 40, kMiddle = kSide / 2;
/// Cells after which a piece is out of a burr, and states of a search.
constexpr int kOut = 8, kMaxStates = 20000;

constexpr std::size_t kCells = std::size_t{kSide} * kSide * kSide;
using Cells = std::bitset<kCells>;
using Tuple = std::tuple<int, int, int>;

Tuple tupleOf(const Vector3i& v) {
  return {v.x(), v.y(), v.z()};
}

std::size_t indexOf(const Vector3i& v) {
  const int index = ((v.x() + kMiddle) * kSide + v.y() + kMiddle) * kSide + v.z() + kMiddle;
  return static_cast<std::size_t>(index);
}

Cells shifted(const Cells& cells, const Vector3i& by) {
  const int count = (by.x() * kSide + by.y()) * kSide + by.z();
  return count >= 0 ? cells << static_cast<std::size_t>(count) : cells >> static_cast<std::size_t>(-count);
}

std::vector<Vector3i> directions() {
  std::vector<Vector3i> all;
  for (int axis = 0; axis < 3; ++axis)
    for (const int sign : {1, -1}) all.push_back(sign * Vector3i::Unit(axis));
  return all;
}

bool isConnected(const Voxels& voxels) {
  std::set<Tuple> left;
  for (const Vector3i& v : voxels) left.insert(tupleOf(v));
  std::vector<Vector3i> open{voxels.front()};
  left.erase(tupleOf(voxels.front()));
  while (!open.empty()) {
    const Vector3i v = open.back();
    open.pop_back();
    for (const Vector3i& d : directions())
      if (left.erase(tupleOf(v + d)) > 0) open.push_back(v + d);
  }
  return left.empty();
}

using Set = std::vector<std::size_t>;

bool contains(const Set& set, std::size_t piece) {
  return std::find(set.begin(), set.end(), piece) != set.end();
}

/// The pieces that move if this one is moved by a cell.
Set movedWith(const std::vector<Cells>& cells, std::size_t seed, const Vector3i& d) {
  Set set{seed};
  for (std::size_t k = 0; k < set.size(); ++k) {
    const Cells moved = shifted(cells[set[k]], d);
    for (std::size_t other = 0; other < cells.size(); ++other)
      if (!contains(set, other) && (moved & cells[other]).any()) set.push_back(other);
  }
  std::sort(set.begin(), set.end());
  return set;
}

/// Cells by which the set can move, at most kOut.
int freeCells(const std::vector<Cells>& cells, const Set& set, const Vector3i& d) {
  Cells moving, rest;
  for (std::size_t k = 0; k < cells.size(); ++k) (contains(set, k) ? moving : rest) |= cells[k];
  for (int n = 1; n <= kOut; ++n)
    if ((shifted(moving, n * d) & rest).any()) return n - 1;
  return kOut;
}

/// A set of pieces that comes out, by one move or by several.
std::optional<Set> nextOut(const std::vector<Cells>& assembled, bool straight) {
  using State = std::vector<Vector3i>;
  const auto keyOf = [](const State& state) {
    std::vector<Tuple> key;
    for (const Vector3i& v : state) key.push_back(tupleOf(v - state.front()));
    return key;
  };
  std::deque<State> open{State(assembled.size(), Vector3i::Zero())};
  std::set<std::vector<Tuple>> seen{keyOf(open.front())};
  for (int states = 0; !open.empty() && states < kMaxStates; ++states) {
    const State state = open.front();
    open.pop_front();
    std::vector<Cells> cells;
    for (std::size_t k = 0; k < assembled.size(); ++k) cells.push_back(shifted(assembled[k], state[k]));
    for (const Vector3i& d : directions())
      for (std::size_t seed = 0; seed < cells.size(); ++seed) {
        const Set set = movedWith(cells, seed, d);
        if (set.size() == cells.size()) continue;
        const int free = freeCells(cells, set, d);
        if (free == kOut) return set;
        for (int n = 1; n <= free && !straight; ++n) {
          State next = state;
          for (const std::size_t piece : set) next[piece] += n * d;
          if (seen.insert(keyOf(next)).second) open.push_back(next);
        }
      }
  }
  return std::nullopt;
}

std::vector<Cells> cellsOf(const std::vector<Voxels>& pieces) {
  std::vector<Cells> all;
  for (const Voxels& piece : pieces) {
    Cells& cells = all.emplace_back();
    for (const Vector3i& v : piece) cells.set(indexOf(v));
  }
  return all;
}

}  // namespace

std::vector<Voxels> randomBurr(std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::map<Tuple, std::vector<std::size_t>> owners;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      for (int along = -3; along < 3; ++along)
        for (int across = -1; across < 1; ++across)
          for (int off = 0; off < 2; ++off) {
            Vector3i v;
            // The two of an axis lie beside each other along the one before it, as in every burr of this
            // kind.
            v[axis] = along;
            v[(axis + 1) % 3] = across;
            v[(axis + 2) % 3] = 2 * side - 2 + off;
            owners[tupleOf(v)].push_back(static_cast<std::size_t>(2 * axis + side));
          }
  for (;;) {
    std::vector<Voxels> pieces(6);
    for (const auto& [cell, bars] : owners) {
      const Vector3i v(std::get<0>(cell), std::get<1>(cell), std::get<2>(cell));
      if (bars.front() == 0)
        pieces[0].push_back(v);
      else if (bars.size() == 1)
        pieces[bars.front()].push_back(v);
      else if (generator() % 8 > 0)
        pieces[bars[generator() % bars.size()]].push_back(v);
    }
    if (std::all_of(pieces.begin(), pieces.end(), isConnected)) return pieces;
  }
}

std::vector<Eigen::AlignedBox3d> boxesOf(const Voxels& voxels, double gap) {
  std::set<Tuple> all;
  for (const Vector3i& v : voxels) all.insert(tupleOf(v));
  std::set<Tuple> left = all;
  std::vector<Eigen::AlignedBox3d> boxes;
  while (!left.empty()) {
    const auto [x, y, z] = *left.begin();
    const Vector3i low(x, y, z);
    Vector3i high = low + Vector3i::Ones();
    const auto cellsIn = [](const Vector3i& from, const Vector3i& to) {
      std::vector<Tuple> cells;
      for (int i = from.x(); i < to.x(); ++i)
        for (int j = from.y(); j < to.y(); ++j)
          for (int k = from.z(); k < to.z(); ++k) cells.emplace_back(i, j, k);
      return cells;
    };
    /// How many cells of the piece are beyond a face of the box; −1: some, but not all that could be.
    const auto beyond = [&](int axis, int sign) {
      Vector3i from = low, to = high;
      (sign > 0 ? from : to)[axis] = sign > 0 ? high[axis] : low[axis];
      (sign > 0 ? to : from)[axis] = sign > 0 ? high[axis] + 1 : low[axis] - 1;
      const std::vector<Tuple> cells = cellsIn(from, to);
      const auto count =
          std::count_if(cells.begin(), cells.end(), [&](const Tuple& cell) { return all.contains(cell); });
      return count == 0 || count == std::ssize(cells) ? static_cast<int>(count) : -1;
    };
    const auto isBox = [&] {
      const std::vector<Tuple> cells = cellsIn(low, high);
      if (!std::all_of(cells.begin(), cells.end(), [&](const Tuple& cell) { return left.contains(cell); }))
        return false;
      for (int axis = 0; axis < 3 && gap > 0; ++axis)
        if (beyond(axis, 1) < 0 || beyond(axis, -1) < 0) return false;
      return true;
    };
    for (int axis = 0; axis < 3; ++axis) {
      while (isBox()) ++high[axis];
      --high[axis];
    }
    for (const Tuple& cell : cellsIn(low, high)) left.erase(cell);
    Eigen::AlignedBox3d& box = boxes.emplace_back(low.cast<double>(), high.cast<double>());
    for (int axis = 0; axis < 3; ++axis) {
      if (beyond(axis, 1) == 0) box.max()[axis] -= gap;
      if (beyond(axis, -1) == 0) box.min()[axis] += gap;
    }
  }
  return boxes;
}

bool comesApart(const std::vector<Voxels>& pieces) {
  if (pieces.size() < 2) return true;
  const std::optional<Set> out = nextOut(cellsOf(pieces), false);
  if (!out) return false;
  std::vector<Voxels> left, right;
  for (std::size_t k = 0; k < pieces.size(); ++k) (contains(*out, k) ? left : right).push_back(pieces[k]);
  return comesApart(left) && comesApart(right);
}

bool comesApartStraight(const std::vector<Voxels>& pieces) {
  return nextOut(cellsOf(pieces), true).has_value();
}

}  // namespace tenon::tests
