// Fits of the walls of imported assemblies: how often the scene is parsed, and what becomes of refused ones.
#include "runtime/commands/import_fits.h"

#include <gtest/gtest.h>

#include <set>

#include "content/input/input_error.h"

namespace tenon::runtime::import_fits_test {
namespace {

using content::InputError;

class WallFits : public testing::Test {
 protected:
  /// Pairs of parts that are drawn at the same size.
  void makePairs(int count) {
    draft_.materials.push_back({"steel", 7850, false});
    for (int k = 0; k < 2 * count; ++k) {
      content::DraftPart part;
      part.name = (k % 2 == 0 ? "peg " : "block ") + std::to_string(k / 2);
      part.material = 0;
      draft_.parts.push_back(part);
    }
    for (int k = 0; k < count; ++k) {
      content::DraftGoal goal;
      goal.part = 2 * k;
      goal.into = 2 * k + 1;
      goal.place = content::DraftPlace{};
      draft_.goals.push_back(goal);
      GuidedPair pair{goal.part, goal.into, {}};
      pair.mating.isTight = true;
      findings_.matings.guided.push_back(pair);
      findings_.clearances.emplace_back("none");
    }
  }

  /// With a reader that refuses the fits of these goals, the first one of a text each time.
  void add(const FitChoice& choice, const std::set<int>& refused, const std::string& field = "") {
    const auto parse = [&](const std::string&) {
      ++parses_;
      for (const int k : refused) {
        const content::DraftGoal& goal = draft_.goals[static_cast<std::size_t>(k)];
        if (!goal.fit.empty() || goal.clearance_um)
          throw InputError("/goals/a.json", "/goals/" + std::to_string(k) + "/fit" + field, "is too wide",
                           "use another");
      }
    };
    addWallFits(choice, parse, draft_, findings_);
  }

  content::SceneDraft draft_;
  ImportFindings findings_;
  int parses_ = 0;
};

TEST_F(WallFits, AreParsedTogether) {
  makePairs(20);
  add({"H7/g6", std::nullopt}, {});
  EXPECT_EQ(parses_, 1);
  for (const content::DraftGoal& goal : draft_.goals) EXPECT_EQ(goal.fit, "H7/g6");
  EXPECT_EQ(findings_.clearances[19], "H7/g6, proposed");
  EXPECT_TRUE(findings_.unfitted.empty());
}

TEST_F(WallFits, RefusedOnesAreLeftOutOneByOne) {
  makePairs(12);
  add({"H7/g6", std::nullopt}, {1, 10});
  EXPECT_EQ(parses_, 3);
  ASSERT_EQ(findings_.unfitted.size(), 2U);
  EXPECT_EQ(findings_.unfitted[0], "peg 1 in block 1: is too wide; use another");
  EXPECT_EQ(findings_.unfitted[1], "peg 10 in block 10: is too wide; use another");
  EXPECT_TRUE(draft_.goals[10].fit.empty());
  EXPECT_EQ(draft_.goals[11].fit, "H7/g6");
  EXPECT_EQ(findings_.clearances[1], "none");
}

TEST_F(WallFits, AClearanceIsRefusedByItsOwnField) {
  makePairs(2);
  add({"H7/g6", 40}, {1}, "/clearance_um");
  EXPECT_EQ(parses_, 2);
  EXPECT_EQ(draft_.goals[0].clearance_um, 40);
  EXPECT_FALSE(draft_.goals[1].clearance_um);
  ASSERT_EQ(findings_.unfitted.size(), 1U);
  EXPECT_EQ(findings_.unfitted[0], "peg 1 in block 1: is too wide; use another");
  EXPECT_EQ(findings_.clearances[0], "40 µm, given");
}

TEST_F(WallFits, AnotherProblemRemovesAll) {
  makePairs(3);
  int parses = 0;
  const auto parse = [&](const std::string&) {
    ++parses;
    throw InputError("a.json", "/parts/1", "overlaps", "move it");
  };
  addWallFits({"H7/g6", std::nullopt}, parse, draft_, findings_);
  EXPECT_EQ(parses, 1);
  for (const content::DraftGoal& goal : draft_.goals) EXPECT_TRUE(goal.fit.empty());
  EXPECT_EQ(findings_.unfitted.size(), 3U);
}

}  // namespace
}  // namespace tenon::runtime::import_fits_test
