// Disk and memory that a study of many cases needs.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "runtime/study/study.h"
#include "tests/bench/study/resampled_study.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

/// Five variables and an output.
constexpr const char* kMoreOfPlan =
    R"(", "rate_hz": 200, "seed": 5, "design": "random", "count": 24, "variables": [
    {"parameter": "clearance_um", "uniform": [-20, 60]}, {"parameter": "friction", "uniform": [0, 0.3]},
    {"parameter": "offset_mm", "uniform": [0, 3]}, {"parameter": "tilt_deg", "uniform": [0, 3]},
    {"pointer": "/hands/0/stiffness_n_per_m", "uniform": [1000, 3000]}],
    "outputs": [{"name": "overlap_m", "pointer": "/max_penetration_m"}]})";

// 10⁶ cases fit in 1 GB of disk and 2 GB of memory by far: what is held here is a tenth of it.
TEST(StudySize, ACaseNeedsAHundredOddBytesOfDiskAndOfMemory) {
  const TemporaryFolder folder;
  const std::string text =
      R"({"tenon_study": 1, "scene": ")" + scenePath("insertion-benchmark") + kMoreOfPlan;
  runtime::runStudy(runtime::StudyScene(runtime::parsePlan(text, "plan.json")), folder / "real", {}, {});
  constexpr std::int64_t kFew = 30'000, kMany = 120'000;
  bench::resampleStudy(folder / "real", folder / "few", kFew);
  bench::resampleStudy(folder / "real", folder / "many", kMany);
  const auto perCase = [](auto few, auto many) { return static_cast<double>(many - few) / (kMany - kFew); };
  const double disk =
      perCase(std::filesystem::file_size(folder / "few"), std::filesystem::file_size(folder / "many"));
  EXPECT_LT(disk, 150) << "bytes a case in the results file";
  EXPECT_GT(disk, 5 * 8 + 5 * 8) << "the numbers alone";
  for (const char* format : {"html", "csv", "json"}) {
    const auto costOf = [&](const char* file) {
      return bench::costOf([&] { bench::writeReport(folder / file, format, folder / "report"); });
    };
    const bench::Cost few = costOf("few"), many = costOf("many");
    ASSERT_TRUE(few.succeeded && many.succeeded) << format;
    EXPECT_LT(perCase(few.peak, many.peak), 130) << "bytes of memory a case for " << format;
  }
}

}  // namespace
}  // namespace tenon::tests
