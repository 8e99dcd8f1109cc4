// Studies: cases that depend on the plan alone, results that survive a kill, and plans that are refused.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "content/input/input_error.h"
#include "runtime/study/design.h"
#include "runtime/study/study.h"
#include "runtime/study/study_tables.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using content::InputError;
using runtime::StudyPlan;

/// A plan over the benchmark; short runs at a low rate.
StudyPlan planOf(const std::string& variables, const std::string& design, int count,
                 const std::string& more = "") {
  const std::string counted = design == "grid" ? "" : ", \"count\": " + std::to_string(count);
  return runtime::parsePlan(R"({"tenon_study": 1, "scene": ")" + scenePath("insertion-benchmark") +
                                R"(", "rate_hz": 200, "seed": 5, "variables": [)" + variables +
                                R"(], "design": ")" + design + "\"" + counted + more + "}",
                            "plan.json");
}

const std::string kClearance = R"({"parameter": "clearance_um", "uniform": [-20, 60]})";
const std::string kBore = R"({"pointer": "/parts/0/shape/holes/0/at/0", "normal": [0, 0.05]})";

std::string tableOf(const std::string& file) {
  std::string table;
  runtime::writeStudyCsv(runtime::ResultsFile(file), [&](const std::string& text) { table += text; });
  return table;
}

runtime::StudyOutcome runAll(const StudyPlan& plan, const std::string& file, int threads,
                             runtime::Shard shard = {}) {
  runtime::StudyOptions options;
  options.threads = threads;
  options.shard = shard;
  return runtime::runStudy(runtime::StudyScene(plan), file, options, {});
}

std::string refusalOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(StudyDesign, LatinHypercubeHasOneCaseInEachStratum) {
  const StudyPlan plan =
      planOf(R"({"parameter": "friction", "uniform": [0, 1]}, )" + kClearance, "latin-hypercube", 97);
  std::vector<int> first(97), second(97);
  for (int k = 0; k < 97; ++k) {
    const std::vector<double> values = runtime::valuesOfCase(plan, k);
    ++first.at(static_cast<std::size_t>(values[0] * 97));
    ++second.at(static_cast<std::size_t>((values[1] + 20) / 80 * 97));
  }
  EXPECT_EQ(first, std::vector<int>(97, 1));
  EXPECT_EQ(second, std::vector<int>(97, 1));
}

TEST(StudyDesign, SobolFillsDyadicIntervalsEvenly) {
  const StudyPlan plan =
      planOf(R"({"parameter": "friction", "uniform": [0, 1]}, )" + kClearance, "sobol", 1024);
  std::vector<int> counts(64);
  for (int k = 0; k < 1024; ++k)
    ++counts.at(static_cast<std::size_t>(runtime::valuesOfCase(plan, k)[0] * 64));
  // Boost leaves out the sequence's first point, so one interval may have one less and one more.
  for (const int count : counts) EXPECT_NEAR(count, 16, 1);
}

TEST(StudyDesign, DistributionsHaveTheirMoments) {
  const StudyPlan plan = planOf(R"({"parameter": "offset_mm", "normal": [0.5, 0.1]},
                                   {"parameter": "friction", "triangular": [0, 0.2, 1]})",
                                "latin-hypercube", 4000);
  double sum = 0, squares = 0, triangular = 0;
  for (int k = 0; k < 4000; ++k) {
    const std::vector<double> values = runtime::valuesOfCase(plan, k);
    sum += values[0];
    squares += (values[0] - 0.5) * (values[0] - 0.5);
    triangular += values[1];
    ASSERT_LE(std::abs(values[0] - 0.5), 0.4) << "beyond the truncation";
  }
  EXPECT_NEAR(sum / 4000, 0.5, 1e-4);
  EXPECT_NEAR(std::sqrt(squares / 4000), 0.1, 2e-4);
  EXPECT_NEAR(triangular / 4000, 1.2 / 3, 1e-3);
}

// Ø 10 k6 is 10.001 to 10.010 mm (ISO 286-2); at Cp = 1.5 a zone is 9 standard deviations wide.
TEST(StudyDesign, AZoneAloneIsADiameterAtItsCp) {
  const StudyPlan plan = planOf(R"({"parameter": "diameter_mm", "zone_diameter":
                                    {"zone": "k6", "diameter_mm": 10, "cp": 1.5}},
                                   {"parameter": "clearance_um", "fit_clearance":
                                    {"zones": "H7/k6", "diameter_mm": 10, "cp": 1.5}})",
                                "latin-hypercube", 2000);
  double sum = 0, squares = 0, clearance = 0;
  for (int k = 0; k < 2000; ++k) {
    const std::vector<double> values = runtime::valuesOfCase(plan, k);
    sum += values[0];
    squares += (values[0] - 10.0055) * (values[0] - 10.0055);
    clearance += values[1];
  }
  EXPECT_NEAR(sum / 2000, 10.0055, 1e-5);
  EXPECT_NEAR(std::sqrt(squares / 2000), 0.001, 1e-5);
  EXPECT_NEAR(clearance / 2000, 7.5 - 5.5, 0.02);
}

// Bore and peg of Ø 10 H7/k6, each made in its own zone: the same clearances as those of the fit.
TEST(Study, ABoreAndAPegHaveZonesOfTheirOwn) {
  const TemporaryFolder folder;
  const StudyPlan plan = planOf(R"({"parameter": "bore_mm", "zone_diameter":
                                    {"zone": "H7", "diameter_mm": 10, "cp": 1.33}},
                                   {"parameter": "diameter_mm", "zone_diameter":
                                    {"zone": "k6", "diameter_mm": 10, "cp": 1.33}},
                                   {"parameter": "offset_mm", "list": [0]},
                                   {"parameter": "tilt_deg", "list": [0]})",
                                "latin-hypercube", 32);
  runAll(plan, folder / "zones", 2);
  int inserted = 0, tooWide = 0;
  runtime::ResultsFile(folder / "zones").forEach([&](const runtime::CaseResult& result) {
    EXPECT_GT(result.values[0], 10);
    EXPECT_LT(result.values[0], 10.015);
    const double clearance = (result.values[0] - result.values[1]) * 1e-3;
    EXPECT_NEAR(result.clearance, clearance, 1e-12) << result.number;
    EXPECT_EQ(result.success, clearance > 0) << result.number << ": " << clearance;
    inserted += result.success;
    tooWide += result.cause == "too-wide";
  });
  // The clearance of H7/k6 is 2 ± 2.2 µm: 18 % of the pegs are wider than their bores.
  EXPECT_EQ(inserted + tooWide, 32);
  EXPECT_NEAR(tooWide, 32 * 0.18, 3);
}

TEST(StudyYield, WilsonsIntervalAgreesWithPublishedValues) {
  const runtime::YieldInterval interval = runtime::wilsonInterval(81, 263);  // Newcombe 1998, table I
  EXPECT_NEAR(interval.low, 0.2553, 5e-5);
  EXPECT_NEAR(interval.high, 0.3662, 5e-5);
  EXPECT_NEAR(runtime::wilsonInterval(0, 20).high, 0.1611, 5e-5);
}

TEST(Study, ThreadsAndShardsGiveTheSameTable) {
  const TemporaryFolder folder;
  const StudyPlan plan =
      planOf(kClearance + ", " + kBore, "sobol", 40, R"(, "enough": {"yield_interval_below": 0.33})");
  runAll(plan, folder / "one", 1);
  const std::string table = tableOf(folder / "one");
  const auto lines = std::count(table.begin(), table.end(), '\n');
  EXPECT_GT(lines, 2);
  EXPECT_LT(lines, 41) << "the stop rule did not end the study";
  expectContains(table, "inserted");
  EXPECT_NE(table.find(",0,"), std::string::npos) << "no case failed, so the comparison says little";
  runAll(plan, folder / "three", 3);
  EXPECT_EQ(tableOf(folder / "three"), table);
  std::vector<std::string> parts;
  for (int k = 0; k < 7; ++k) {
    parts.push_back(folder / std::to_string(k));
    runAll(plan, parts.back(), 1, {k, 7});
  }
  EXPECT_EQ(runtime::mergeStudies(parts, folder / "merged").missingCount, 0);
  EXPECT_EQ(tableOf(folder / "merged"), table);
  parts.erase(parts.begin());
  EXPECT_EQ(runtime::mergeStudies(parts, folder / "partial").missing.at(0), 0)
      << "case 0 is in the first shard";
}

TEST(Study, KilledItGoesOnWithNothingTwiceAndNothingLost) {
  const TemporaryFolder folder;
  const StudyPlan plan = planOf(kClearance + ", " + kBore, "random", 60);
  const std::string file = folder / "killed";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    runtime::StudyOptions options;
    options.threads = 1;
    std::int64_t calls = 0;
    runtime::ResultsFile kept(file, runtime::StudyScene(plan), {});
    const std::atomic<bool> stop{false};
    for (; calls < 20; ++calls) {
      const runtime::CaseResult result = runtime::StudyScene(plan).compute(calls * 3, stop);
      kept.add({&result, 1});
    }
    runtime::runStudy(runtime::StudyScene(plan), file, options, [&](const runtime::StudyProgress& now) {
      if (now.done > 22) kill(getpid(), SIGKILL);
    });
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  const std::string before = tableOf(file);
  EXPECT_GE(std::count(before.begin(), before.end(), '\n'), 21) << "what was committed is gone";
  EXPECT_TRUE(runAll(plan, file, 2).complete);
  runAll(plan, folder / "whole", 2);
  EXPECT_EQ(tableOf(file), tableOf(folder / "whole"));
}

TEST(Study, AFullDiskIsReportedAndTheStudyGoesOnLater) {
  const TemporaryFolder folder;
  const StudyPlan plan = planOf(kClearance, "random", 80);
  const std::string file = folder / "full";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // the limit is on this process: a file that would grow beyond it does not
    signal(SIGXFSZ, SIG_IGN);
    runtime::ResultsFile results(file, runtime::StudyScene(plan), {});
    const rlimit limit{std::filesystem::file_size(file), RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string refusal = refusalOf([&] { runAll(plan, file, 1); });
    _exit(refusal.starts_with(file + ": cannot be written") &&
                  refusal.find("free space") != std::string::npos && refusal.find('\n') == std::string::npos
              ? 0
              : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(runAll(plan, file, 2).complete);
  runAll(plan, folder / "whole", 2);
  EXPECT_EQ(tableOf(file), tableOf(folder / "whole"));
}

TEST(Study, ADamagedFileIsReportedInOneLine) {
  const TemporaryFolder folder;
  const std::string file = folder / "damaged";
  runAll(planOf(kClearance, "random", 4), file, 1);
  {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(2 * 4096);  // the third page, the root of the results
    bytes << std::string(4096, '\xff');
  }
  for (const std::string& refusal : {refusalOf([&] { tableOf(file); }),
                                     refusalOf([&] { runAll(planOf(kClearance, "random", 4), file, 1); })}) {
    expectContains(refusal, file + ": cannot be read: ");
    expectContains(refusal, "restore it");
  }
}

TEST(Study, AChangedPlanIsRefusedWithWhatChanged) {
  const TemporaryFolder folder;
  runAll(planOf(kClearance, "random", 2), folder / "a", 1);
  const std::string refusal = refusalOf([&] { runAll(planOf(kClearance, "random", 3), folder / "a", 1); });
  expectContains(refusal, "/count");
  runAll(planOf(kClearance, "random", 3), folder / "b", 1);
  expectContains(refusalOf([&] {
                   runtime::mergeStudies({folder / "a", folder / "b"}, folder / "c");
                 }),
                 "another plan");
}

TEST(Study, TheMapHasTheGivenAxes) {
  const TemporaryFolder folder;
  runAll(planOf(kClearance + ", " + kBore + R"(, {"parameter": "tilt_deg", "uniform": [0, 1]})", "random", 4),
         folder / "a", 1);
  const runtime::ResultsFile results(folder / "a");
  const std::string page = runtime::studyPage(results, {{"tilt_deg", "clearance_um"}, {}});
  expectContains(page, "tilt_deg from 0 to 1, to the right");
  expectContains(page, "clearance_um from -20 to 60, upwards");
  expectContains(
      refusalOf([&] {
        runtime::studyPage(results, {{"tilt_deg", "friction"}, {}});
      }),
      "is no variable of the study; name two of clearance_um, /parts/0/shape/holes/0/at/0, tilt_deg");
}

TEST(Study, BadPlansAreRefusedInOneLine) {
  const auto refusal = [](const std::string& variable) {
    return refusalOf([&] { runtime::StudyScene(planOf(variable, "random", 2)); });
  };
  expectContains(refusal(R"({"parameter": "frictoin", "uniform": [0, 1]})"), "friction");
  expectContains(refusal(R"({"parameter": "friction", "uniform": [0, 2]})"), "stay within 0 to 1");
  expectContains(refusal(R"({"pointer": "/hands/7", "uniform": [0, 2]})"), "no place in");
  expectContains(refusal(R"({"pointer": "/title", "uniform": [0, 2]})"), "not a number");
  expectContains(
      refusal(R"({"parameter": "clearance_um", "fit_clearance": {"zones": "H7/q6", "diameter_mm": 10}})"),
      "H7/g6");
  expectContains(
      refusal(R"({"parameter": "diameter_mm", "zone_diameter": {"zone": "k9", "diameter_mm": 10}})"),
      "name one of H7, g6");
  expectContains(refusal(R"({"parameter": "friction", "uniform": [1, 0]})"), "low < high");
  EXPECT_EQ(refusal(R"({"parameter": "friction", "uniform": [0, 1]})"), "accepted");
}

}  // namespace
}  // namespace tenon::tests
