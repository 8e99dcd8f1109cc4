// tenon solve from outside: every problem of tests/data through every solver, exit codes, bad input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/program_run.h"

namespace tenon::tests::solve_command_test {
namespace {

using Json = nlohmann::json;

std::string dataPath(const std::string& name) {
  return TENON_SOURCE_DIR "/tests/data/" + name + ".json";
}

Json problemIn(const std::string& name) {
  return Json::parse(std::ifstream(dataPath(name)));
}

/// ‖min(f, w)‖∞ from the file alone; friction is left to the solvers' own tests.
double residualOf(const Json& problem, const Json& f) {
  double worst = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    double w = problem["b"][i];
    for (std::size_t j = 0; j < f.size(); ++j) w += problem["A"][i][j].get<double>() * f[j].get<double>();
    const bool joint = problem.contains("joint") && problem["joint"][i].get<bool>();
    worst = std::max(worst, std::abs(joint ? w : std::min(f[i].get<double>(), w)));
  }
  return worst;
}

TEST(Solve, allSolversGiveTheFieldsOfTheContractAndOnlyTrueClaims) {
  const std::vector<std::string> order{"proximal-newton",
                                       "fischer-newton",
                                       "lemke-fixpoint",
                                       "bilateral-newton",
                                       "gauss-seidel",
                                       "baraff",
                                       "auto"};
  for (const char* name :
       {"table", "two-rows", "not-symmetric", "infeasible", "unbounded", "negative", "joints",
        "redundant-joints", "sticking", "sliding", "murty-exponential", "cycling"}) {
    SCOPED_TRACE(name);
    const Json problem = problemIn(name);
    const Outcome outcome = runTenon({"solve", dataPath(name), "--solver", "all", "--json"});
    EXPECT_EQ(outcome.err, "");
    const Json answers = Json::parse(outcome.out);
    ASSERT_EQ(answers.size(), order.size());
    bool anyFailed = false;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Json& answer = answers[k];
      SCOPED_TRACE(order[k]);
      EXPECT_EQ(answer["solver"], order[k]);
      const std::string status = answer["status"];
      EXPECT_EQ(std::set<std::string>({"solved", "failed", "unsupported"}).count(status), 1u);
      EXPECT_GE(answer["iterations"].get<int>(), 0);
      EXPECT_GE(answer["time_us"].get<double>(), 0);
      EXPECT_EQ(answer.contains("reason"), status != "solved");
      anyFailed = anyFailed || status == "failed";
      if (status == "unsupported") {
        EXPECT_TRUE(answer["natural_residual"].is_null());
        EXPECT_TRUE(answer["f"].empty() && answer["w"].empty());
        continue;
      }
      EXPECT_EQ(answer["f"].size(), problem["b"].size());
      EXPECT_EQ(answer["w"].size(), problem["b"].size());
      if (status == "solved" && !problem.contains("mu")) {
        double largest = 0;
        for (const Json& b : problem["b"]) largest = std::max(largest, std::abs(b.get<double>()));
        EXPECT_LE(residualOf(problem, answer["f"]), 1e-8 * largest);
      }
    }
    EXPECT_EQ(outcome.exitCode, anyFailed ? 1 : 0);
    const bool solvable = std::string(name) != "infeasible" && std::string(name) != "unbounded" &&
                          std::string(name) != "negative";
    EXPECT_EQ(answers.back()["status"], solvable ? "solved" : "failed");
  }
}

TEST(Solve, saysWhetherAProblemIsInfeasibleOrUnbounded) {
  for (const std::string name : {"infeasible", "unbounded"}) {
    const Outcome outcome = runTenon({"solve", dataPath(name), "--json"});
    EXPECT_EQ(outcome.exitCode, 1);
    const std::string reason = Json::parse(outcome.out)[0]["reason"];
    EXPECT_EQ(reason.rfind(name, 0), 0u) << reason;
  }
}

TEST(Solve, givesATableToPeopleAndAutoByDefault) {
  const Outcome outcome = runTenon({"solve", dataPath("two-rows")});
  EXPECT_EQ(outcome.exitCode, 0);
  for (const char* part : {"2 rows, symmetric", "auto", "solved", "row  f", "0.5"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " is missing in:\n" << outcome.out;
  EXPECT_EQ(outcome.out.find("baraff"), std::string::npos);
}

TEST(Solve, exitsWithZeroWhereTheOnlySolverChosenDoesNotTakeTheProblem) {
  const Outcome outcome = runTenon({"solve", dataPath("not-symmetric"), "--solver", "baraff"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_NE(outcome.out.find("unsupported"), std::string::npos);
  EXPECT_NE(outcome.err.find("not symmetric"), std::string::npos);
}

TEST(Solve, reportsMethodsThatNeedASemidefiniteMatrixAsUnsupported) {
  const TemporaryFolder folder;
  std::ofstream(folder / "indefinite.json") << R"({"A": [[1, 2], [2, 1]], "b": [-2, -3]})";
  const Outcome all = runTenon({"solve", folder / "indefinite.json", "--solver", "all", "--json"});
  EXPECT_EQ(all.exitCode, 0);
  int solved = 0;
  for (const Json& answer : Json::parse(all.out)) {
    EXPECT_NE(answer["status"], "failed") << answer["solver"];
    if (answer["status"] == "solved") {
      ++solved;
      continue;
    }
    EXPECT_TRUE(answer["natural_residual"].is_null() && answer["f"].empty()) << answer["solver"];
    EXPECT_NE(answer["reason"].get<std::string>().find("semidefinite"), std::string::npos);
  }
  EXPECT_GE(solved, 2) << "lemke-fixpoint and auto";
  const Outcome one = runTenon({"solve", folder / "indefinite.json", "--solver", "gauss-seidel"});
  EXPECT_EQ(one.exitCode, 0);
  EXPECT_NE(one.err.find("semidefinite"), std::string::npos);
}

TEST(Solve, aTighterToleranceOfTheFileIsKept) {
  const TemporaryFolder folder;
  Json problem = problemIn("joints");
  problem["tolerance"] = 1e-13;
  std::ofstream(folder / "tight.json") << problem;
  const Json answers = Json::parse(runTenon({"solve", folder / "tight.json", "--json"}).out);
  EXPECT_EQ(answers[0]["status"], "solved");
  EXPECT_LE(answers[0]["natural_residual"].get<double>(), 3e-13);
}

TEST(Solve, refusesBadInputInOneLineThatNamesThePlace) {
  const TemporaryFolder folder;
  struct Mistake {
    const char *name, *text, *place;
  };
  for (const Mistake& mistake :
       {Mistake{"text", "hello", "line 1"},
        {"ragged", R"({"A": [[1, 2], [3]], "b": [1, 2]})", "/A/1"},
        {"short-b", R"({"A": [[1]], "b": []})", "/b"},
        {"nan", R"({"A": [[NaN]], "b": [1]})", "line 1"},
        {"mixed", R"({"A": [[1,0,0],[0,1,0],[0,0,1]], "b": [1,1,1], "mu": [0], "joint": [true,false,false]})",
         "/joint/0"},
        {"empty", R"({"A": [], "b": []})", "/A"},
        {"extra", R"({"A": [[1]], "b": [1], "x": 0})", "/x"}}) {
    const std::string file = folder / (std::string(mistake.name) + ".json");
    std::ofstream(file) << mistake.text;
    const Outcome outcome = runTenon({"solve", file, "--solver", "all", "--json"});
    EXPECT_EQ(outcome.exitCode, 2) << mistake.name;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.rfind("tenon: " + file + ": " + mistake.place, 0), 0u) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_EQ(runTenon({"solve"}).exitCode, 2);
  EXPECT_EQ(runTenon({"solve", folder / "missing.json"}).exitCode, 2);
  EXPECT_EQ(runTenon({"solve", dataPath("table"), "--solver", "bullet"}).exitCode, 2);
  EXPECT_EQ(runTenon({"solve", dataPath("table"), "--fast"}).exitCode, 2);
}

TEST(Solve, helpHasExamplesThatWork) {
  const Outcome outcome = runTenon({"solve", "--help"});
  EXPECT_EQ(outcome.exitCode, 0);
  for (const char* part : {"Examples:\n  tenon ", "Exit codes", "--solver", "--json", "tests/data/table.json",
                           "tests/data/sliding.json"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace tenon::tests::solve_command_test
