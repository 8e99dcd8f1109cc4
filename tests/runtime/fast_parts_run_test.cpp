// tenon run --json counts what fast parts met on their paths, and the steps in which they were held back.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program_run.h"

namespace tenon::tests::fast_parts_run_test {
namespace {

using Json = nlohmann::json;

Json ball(const std::string& name, const std::string& material, double x_mm, double speed) {
  return {{"name", name},
          {"material", material},
          {"shape", {{"kind", "sphere"}, {"diameter", 2}}},
          {"position", {x_mm, 0, 0}},
          {"velocity_m_per_s", {speed, 0, 0}}};
}

/// Runs some steps of 1 ms of these parts without gravity.
Json run(const Json& parts, const std::vector<std::string>& more = {}) {
  const Json scene = {
      {"tenon", 1},
      {"title", "Fast parts"},
      {"unit", "mm"},
      {"duration_s", 0.004},
      {"rate_hz", 1000},
      {"gravity_m_per_s2", {0, 0, 0}},
      {"materials",
       {{{"name", "light"}, {"density_kg_per_m3", 100}}, {{"name", "heavy"}, {"density_kg_per_m3", 1e6}}}},
      {"parts", parts}};
  const TemporaryFolder folder;
  const std::string file = folder / "fast.json";
  std::ofstream(file) << scene.dump();
  std::vector<std::string> arguments{"run", file, "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = runTenon(arguments);
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  return Json::parse(outcome.out, nullptr, false);
}

TEST(RunFastParts, CountsContactsOnTheWay) {
  for (const std::string solver : {"auto", "baraff"}) {
    const Json result = run({ball("a", "light", 0, 0), ball("b", "light", -50.3, 100)}, {"--solver", solver});
    EXPECT_EQ(result.value("swept_contacts", 0), 1) << solver;
    EXPECT_GE(result.value("swept_pairs", 0), 1) << solver;
    EXPECT_EQ(result.value("held_back_steps", -1), 0) << solver;
  }
  const Json slow = run({ball("a", "light", 0, 0), ball("b", "light", -3, 0.1)});
  EXPECT_EQ(slow.value("swept_pairs", -1), 0);
  EXPECT_EQ(slow.value("swept_contacts", -1), 0);
  EXPECT_EQ(slow.value("energy_guarded_steps", -1), 0);
}

TEST(RunFastParts, CountsStepsInWhichPartsAreHeldBack) {
  Json parts = Json::array({ball("hammer", "heavy", -2.5, 1000)});
  for (int k = 0; k < 45; ++k) parts.push_back(ball("ball " + std::to_string(k), "light", 2.5 * k, 0));
  const Json result = run(parts);
  EXPECT_GE(result.value("held_back_steps", 0), 1);
  EXPECT_GE(result.value("not_converged_steps", 0), result.value("held_back_steps", 0));
}

}  // namespace
}  // namespace tenon::tests::fast_parts_run_test
