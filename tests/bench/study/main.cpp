// bench_study: a results file of a million cases, and what its reports cost.
//
// The cases are resampled from a real study, which runs first unless a results file is named: computing a
// million takes a day.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>

#include "runtime/study/study.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/study/resampled_study.h"

namespace tenon::bench {
namespace {

namespace fs = std::filesystem;

int run(int argc, char** argv) {
  std::string plan = "content/studies/insertion-yield-k6.json", results, folder = "bench-study";
  std::int64_t cases = 1'000'000;
  CLI::App program("A results file of so many cases, resampled from a real study, and what its reports cost");
  program.add_option("--plan", plan, "Plan of the real study")->capture_default_str();
  program.add_option("--results", results, "Results file of a real study that is done already")
      ->type_name("FILE");
  program.add_option("--cases", cases, "Cases of the file")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  program.add_option("--folder", folder, "New folder for files, removed at the end")->capture_default_str();
  CLI11_PARSE(program, argc, argv);
  if (!fs::create_directory(folder))
    throw CLI::FileError(folder + " exists; name a new folder with --folder");
  if (results.empty()) {
    results = folder + "/real.study";
    runtime::runStudy(runtime::StudyScene(runtime::loadPlan(plan)), results, {}, {});
  }
  const std::string file = folder + "/resampled.study";
  const Cost written = costOf([&] { resampleStudy(results, file, cases); });
  const auto size = static_cast<double>(fs::file_size(file));
  fmt::print("{} cases, resampled from {}\n\n", cases, results);
  fmt::print("| | size | CPU time | peak memory |\n|---|---|---|---|\n");
  const auto row = [](const std::string& name, double bytes, const Cost& cost) {
    fmt::print("| {} | {:.1f} MB | {:.1f} s | {:.0f} MB |\n", name, bytes * 1e-6, cost.cpu,
               static_cast<double>(cost.peak) * 1e-6);
  };
  row("results file, resampled and written", size, written);
  bool succeeded = written.succeeded;
  for (const char* format : {"html", "csv", "json"}) {
    const std::string out = folder + "/report." + format;
    const Cost cost = costOf([&] { writeReport(file, format, out); });
    succeeded = succeeded && cost.succeeded;
    row(std::string("report, ") + format, static_cast<double>(fs::file_size(out)), cost);
  }
  fs::remove_all(folder);
  return succeeded ? 0 : 1;
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_study", tenon::bench::run, argc, argv);
}
