// Islands: only pairs of bodies that move by forces couple them.
#include "physics/contact/islands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tenon::physics {
namespace {

BodyPair pairOf(int i, int j) {
  return {BodyId{std::min(i, j)}, BodyId{std::max(i, j)}};
}

std::vector<int> islandsOf(const std::vector<bool>& dynamic, const std::vector<BodyPair>& pairs) {
  Islands islands;
  islands.build(dynamic, pairs);
  std::vector<int> of;
  int count = 0;
  for (int i = 0; i < static_cast<int>(dynamic.size()); ++i) {
    of.push_back(islands.islandOf(BodyId{i}));
    count = std::max(count, of.back() + 1);
  }
  EXPECT_EQ(islands.count(), count);
  for (int k = 0; k < islands.count(); ++k)
    EXPECT_EQ(islands.size(k), std::count(of.begin(), of.end(), k)) << "island " << k;
  return of;
}

TEST(Islands, areNumberedByTheirLowestBody) {
  const std::vector<bool> dynamic(6, true);
  EXPECT_EQ(islandsOf(dynamic, {pairOf(3, 5), pairOf(0, 4)}), (std::vector{0, -1, -1, 1, 0, 1}));
}

TEST(Islands, joinChains) {
  const std::vector<bool> dynamic(5, true);
  EXPECT_EQ(islandsOf(dynamic, {pairOf(0, 1), pairOf(1, 2), pairOf(2, 3), pairOf(3, 4)}),
            (std::vector{0, 0, 0, 0, 0}));
}

TEST(Islands, areNotJoinedByBodiesWithGivenMotion) {
  const std::vector<bool> dynamic{false, true, true, true};
  EXPECT_EQ(islandsOf(dynamic, {pairOf(0, 1), pairOf(0, 2)}), (std::vector{-1, 0, 1, -1}));
}

TEST(Islands, areNoneWithoutPairs) {
  EXPECT_EQ(islandsOf({true, true}, {}), (std::vector{-1, -1}));
  EXPECT_EQ(islandsOf({}, {}), std::vector<int>{});
}

TEST(Islands, areTheConnectedPartsOfTheGraphInAnyOrderOfPairs) {
  constexpr unsigned kGraphSeed = 31;
  std::mt19937 random(kGraphSeed);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const int bodies = 20;
    std::vector<bool> dynamic;
    for (int i = 0; i < bodies; ++i) dynamic.push_back(random() % 5 != 0);
    std::vector<BodyPair> pairs;
    for (int k = 0; k < 15; ++k) {
      const int i = static_cast<int>(random() % bodies), j = static_cast<int>(random() % bodies);
      if (i != j && (dynamic[i] || dynamic[j])) pairs.push_back(pairOf(i, j));
    }
    // Referee: spread the lowest label until nothing changes.
    std::vector<int> label(bodies, -1);
    for (const BodyPair& pair : pairs)
      for (const int body : {pair.i.value, pair.j.value})
        if (dynamic[body]) label[body] = body;
    for (int pass = 0; pass < bodies; ++pass)
      for (const BodyPair& pair : pairs)
        if (dynamic[pair.i.value] && dynamic[pair.j.value])
          label[pair.i.value] = label[pair.j.value] = std::min(label[pair.i.value], label[pair.j.value]);
    std::vector<int> lowest = label, expected;
    std::sort(lowest.begin(), lowest.end());
    lowest.erase(std::unique(lowest.begin(), lowest.end()), lowest.end());
    lowest.erase(std::remove(lowest.begin(), lowest.end(), -1), lowest.end());
    for (const int l : label)
      expected.push_back(
          l < 0 ? -1 : static_cast<int>(std::lower_bound(lowest.begin(), lowest.end(), l) - lowest.begin()));

    EXPECT_EQ(islandsOf(dynamic, pairs), expected) << "seed " << kGraphSeed << ", repeat " << repeat;
    std::shuffle(pairs.begin(), pairs.end(), random);
    EXPECT_EQ(islandsOf(dynamic, pairs), expected)
        << "shuffled, seed " << kGraphSeed << ", repeat " << repeat;
  }
}

}  // namespace
}  // namespace tenon::physics
