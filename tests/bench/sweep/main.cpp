// bench_sweep: the stability sweep, for any number of seeded cases.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <thread>

#include "runtime/assess/goal_watch.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/sweep/sweep.h"

namespace tenon::bench {
namespace {

struct Options {
  int cases = 2000;
  std::uint64_t seed = 1;
  int only = -1;
  int jobs = 1;
  double penetration_nm = kSweepPenetration * 1e9;
};

void printCase(const SweepOutcome& outcome) {
  const SweepCase& c = outcome.which;
  fmt::print(
      "case {} of seed {}: {}, {} steps, {} not converged, {} backed off, overlap {:.3f} nm, push {:.2f} N, "
      "energy "
      "{:+.2g}\n",
      c.number, c.seed, toText(outcome.verdict), outcome.steps, outcome.notConverged, outcome.backedOff,
      outcome.penetration * 1e9, outcome.push, outcome.energyExcess);
  fmt::print("  {}\n", commandOf(c));
  for (const std::string& failure : outcome.failures) fmt::print("  failed: {}\n", failure);
}

/// On `jobs` threads; the outcomes are in the order of the cases whatever the number.
std::vector<SweepOutcome> runCases(const Options& options) {
  std::vector<SweepOutcome> outcomes(static_cast<std::size_t>(options.cases));
  std::atomic<int> next = 0, failed = 0;
  const auto work = [&] {
    for (int k = next++; k < options.cases; k = next++) {
      SweepOutcome& outcome = outcomes[static_cast<std::size_t>(k)];
      outcome = runSweepCase(sweepCase(options.seed, k), options.penetration_nm * 1e-9);
      if (!outcome.failures.empty()) ++failed;
      if (k % 10 == 9) fmt::print(stderr, "\r{} of {}, {} failed", k + 1, options.cases, failed.load());
    }
  };
  std::vector<std::jthread> threads;
  for (int k = 1; k < options.jobs; ++k) threads.emplace_back(work);
  work();
  threads.clear();
  fmt::print(stderr, "\r{:40}\r", "");
  return outcomes;
}

int summarize(const std::vector<SweepOutcome>& outcomes, double wall) {
  std::map<std::string, int> verdicts, kinds;
  long long steps = 0, notConverged = 0, backedOff = 0;
  double push = 0;
  int failed = 0;
  const SweepOutcome *deepest = nullptr, *interference = nullptr;
  for (const SweepOutcome& outcome : outcomes) {
    ++verdicts[std::string(toText(outcome.verdict))];
    steps += outcome.steps;
    notConverged += outcome.notConverged;
    backedOff += outcome.backedOff;
    push = std::max(push, outcome.push);
    const SweepOutcome*& worst = outcome.which.clearance_um >= 0 ? deepest : interference;
    if (!worst || outcome.penetration > worst->penetration) worst = &outcome;
    if (outcome.failures.empty()) continue;
    ++failed;
    for (const std::string& failure : outcome.failures) ++kinds[failure.substr(0, failure.find(" at step"))];
    printCase(outcome);
  }
  fmt::print("{} cases, {} steps in {:.0f} s\n", outcomes.size(), steps, wall);
  for (const auto& [verdict, count] : verdicts) fmt::print("  {:<14} {}\n", verdict, count);
  fmt::print("  {:<14} {} steps, {:.3f} %\n", "not converged", notConverged,
             100.0 * static_cast<double>(notConverged) / static_cast<double>(steps));
  fmt::print("  {:<14} {} steps\n", "backed off", backedOff);
  fmt::print("  {:<14} {:.1f} N\n", "largest push", push);
  if (deepest)
    fmt::print("  worst overlap  {:.3f} nm where the peg fits (case {})\n", deepest->penetration * 1e9,
               deepest->which.number);
  if (interference)
    fmt::print("  worst overlap  {:.3f} nm of interference fits (case {})\n", interference->penetration * 1e9,
               interference->which.number);
  fmt::print("{} failed\n", failed);
  return failed > 0 ? 1 : 0;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Pegs into bores, over all clearances, frictions, rates and misalignments.", "bench_sweep");
  app.add_option("--cases", options.cases, "How many")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_option("--seed", options.seed, "Of the cases' parameters")->capture_default_str();
  app.add_option("--case", options.only, "Only this one")->check(CLI::Range(0, 1000000));
  app.add_option("--jobs", options.jobs, "Cases at once")->check(CLI::Range(1, 64))->capture_default_str();
  app.add_option("--penetration-nm", options.penetration_nm, "Overlap allowed where the peg fits [nm]")
      ->capture_default_str();
  app.footer("Exit codes: 0 every case passed, 1 some did not.");
  CLI11_PARSE(app, argc, argv);
  if (options.only >= 0) {
    const SweepOutcome outcome =
        runSweepCase(sweepCase(options.seed, options.only), options.penetration_nm * 1e-9);
    printCase(outcome);
    return outcome.failures.empty() ? 0 : 1;
  }
  const auto start = std::chrono::steady_clock::now();
  const std::vector<SweepOutcome> outcomes = runCases(options);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return summarize(outcomes, wall.count());
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_sweep", tenon::bench::run, argc, argv);
}
