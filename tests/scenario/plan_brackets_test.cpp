// Two brackets with bolts, nuts and a rod on a plate, from a STEP file to the verdict: the structure of
// as1-oc-214.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program_run.h"
#include "tests/support/share.h"
#include "tests/support/step_file.h"

namespace tenon::tests {
namespace {

TEST(PlanBrackets, areAssembledWithFixtures) {
  if (const std::string missing = stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  if (test::kShare > 1) GTEST_SKIP() << "simulates a minute and a half of 18 parts";
  const TemporaryFolder folder;
  const std::string file = folder / "brackets.step", plan = folder / "plan.json";
  ASSERT_TRUE(makeStep("bracket-assembly", file, {0.4}));
  const Outcome planned = runTenon({"plan", file, "--carry-out", "--out", plan});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  // Seven shafts: each bolt in plate, bracket and nut, the rod in two brackets and two nuts.
  EXPECT_NE(planned.out.find("carried out: 22 of 22 goals reached"), std::string::npos) << planned.out;
  const auto made = nlohmann::json::parse(fileText(plan));
  EXPECT_EQ(made.at("steps").size(), 17u);
  // The nuts have no threads: what is below the plate falls. One hand brings, one holds, fixtures hold the
  // rest.
  std::size_t fixtures = 0;
  for (const auto& hand : made.at("hands"))
    fixtures += hand.at("name").get<std::string>().starts_with("fixture") ? 1 : 0;
  EXPECT_EQ(made.at("hands").size(), fixtures + 2);
  EXPECT_GE(fixtures, 5u);
  // The bench is below the nuts that come from below.
  EXPECT_LT(made.at("bench").at("position").at(2).get<double>(), -50);
}

}  // namespace
}  // namespace tenon::tests
