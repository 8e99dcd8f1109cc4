// The pattern of triangular factors: right on any graph, sparse where it can be, the same for the same graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "physics/math/block_pattern.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/coupling_graphs.h"

namespace tenon::physics {
namespace {

using tests::CouplingGraph;

BlockPattern patternOf(const CouplingGraph& graph) {
  BlockPattern pattern;
  pattern.analyze(graph.bodies, graph.couplings);
  return pattern;
}

/// What elimination in the pattern's order makes non-zero below the diagonal, by its definition.
std::set<std::pair<int, int>> filledIn(const BlockPattern& pattern, const CouplingGraph& graph) {
  std::set<std::pair<int, int>> entries;
  for (const BodyCoupling& c : graph.couplings) {
    const int a = pattern.position(c.first), b = pattern.position(c.second);
    if (a != b) entries.insert({std::max(a, b), std::min(a, b)});
  }
  for (int k = 0; k < graph.bodies; ++k) {
    for (int i = k + 1; i < graph.bodies; ++i) {
      for (int j = k + 1; j < i; ++j) {
        if (entries.count({i, k}) > 0 && entries.count({j, k}) > 0) entries.insert({i, j});
      }
    }
  }
  return entries;
}

void expectPatternOf(const CouplingGraph& graph) {
  SCOPED_TRACE(graph.name);
  const BlockPattern pattern = patternOf(graph);
  const auto expected = filledIn(pattern, graph);
  ASSERT_EQ(pattern.entryCount(), static_cast<int>(expected.size()));
  for (int c = 0; c < graph.bodies; ++c) {
    EXPECT_EQ(pattern.position(pattern.body(c)), c);
    for (int r = c + 1; r < graph.bodies; ++r) {
      const int entry = pattern.find(r, c);
      EXPECT_EQ(entry >= 0, expected.count({r, c}) > 0) << r << ", " << c;
      if (entry < 0) continue;
      EXPECT_EQ(pattern.rows()[static_cast<std::size_t>(entry)], r);
      EXPECT_GE(entry, pattern.columnBegin(c));
      EXPECT_LT(entry, pattern.columnBegin(c + 1));
    }
  }
  // The same by rows.
  std::size_t byRows = 0;
  for (int r = 0; r < graph.bodies; ++r) {
    int last = -1;
    for (const auto& [column, entry] : pattern.row(r)) {
      EXPECT_GT(column, last);
      last = column;
      EXPECT_EQ(pattern.find(r, column), entry);
      ++byRows;
    }
  }
  EXPECT_EQ(byRows, expected.size());
}

TEST(BlockPattern, holdsWhatEliminationFillsAndNothingElse) {
  for (const CouplingGraph& graph : {tests::chain(7), tests::star(9), tests::clique(6), tests::grid(5),
                                     tests::apart(8), tests::pile(70, 1), tests::pile(40, 2)})
    expectPatternOf(graph);
}

TEST(BlockPattern, treesDoNotFillIn) {
  EXPECT_EQ(patternOf(tests::chain(100)).entryCount(), 99);
  EXPECT_EQ(patternOf(tests::star(100)).entryCount(), 99);
  EXPECT_GE(patternOf(tests::star(100)).position(0), 98);
}

TEST(BlockPattern, gridFillsInLessThanByRows) {
  // Row by row each of the side² columns keeps a band of `side`.
  constexpr int kSide = 20;
  EXPECT_LT(patternOf(tests::grid(kSide)).entryCount(), kSide * kSide * kSide / 2);
}

TEST(BlockPattern, firstOfEqualsGoesFirst) {
  const BlockPattern pattern = patternOf({"none couple", 5, {}});
  for (int k = 0; k < 5; ++k) EXPECT_EQ(pattern.body(k), k);
  EXPECT_EQ(patternOf(tests::chain(3)).body(0), 0);
  EXPECT_EQ(patternOf(tests::clique(4)).body(0), 0);
}

TEST(BlockPattern, orderAndRepetitionOfCouplingsChangeNothing) {
  const CouplingGraph graph = tests::pile(60, 5);
  CouplingGraph other = graph;
  std::reverse(other.couplings.begin(), other.couplings.end());
  for (const BodyCoupling& c : graph.couplings) other.couplings.push_back({c.second, c.first});
  for (int k = 0; k < graph.bodies; ++k) other.couplings.push_back({k, k});
  const BlockPattern a = patternOf(graph), b = patternOf(other);
  for (int k = 0; k < graph.bodies; ++k) EXPECT_EQ(a.body(k), b.body(k));
  EXPECT_TRUE(std::ranges::equal(a.rows(), b.rows()));
}

TEST(BlockPattern, nextGraphLeavesNothingOfTheLast) {
  BlockPattern pattern;
  for (const CouplingGraph& graph : {tests::pile(90, 3), tests::chain(5), tests::CouplingGraph{"none", 0, {}},
                                     tests::star(70), tests::CouplingGraph{"lone", 70, {}}, tests::grid(4)}) {
    SCOPED_TRACE(graph.name);
    pattern.analyze(graph.bodies, graph.couplings);
    const BlockPattern fresh = patternOf(graph);
    ASSERT_EQ(pattern.bodies(), graph.bodies);
    EXPECT_TRUE(std::ranges::equal(pattern.rows(), fresh.rows()));
    for (int k = 0; k < graph.bodies; ++k) EXPECT_EQ(pattern.body(k), fresh.body(k));
  }
}

TEST(BlockPattern, allocatesNothingForGraphsNoLarger) {
  const CouplingGraph first = tests::clique(65), second = tests::grid(8), third = tests::pile(60, 4);
  BlockPattern pattern;
  pattern.analyze(first.bodies, first.couplings);
  const auto before = tests::allocationCount();
  for (const CouplingGraph* graph : {&third, &second, &second, &first, &third})
    pattern.analyze(graph->bodies, graph->couplings);
  EXPECT_EQ(tests::allocationCount(), before);
}

}  // namespace
}  // namespace tenon::physics
