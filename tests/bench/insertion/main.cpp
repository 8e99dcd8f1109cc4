// bench_insertion: the insertion benchmark with Tenon, MuJoCo and Bullet, in one process and one run.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "tests/bench/bench_program.h"
#include "tests/bench/insertion/insertion_trial.h"
#include "tests/support/planar_insertion.h"
#ifdef TENON_BENCH_MUJOCO
#include "tests/bench/mujoco_model.h"
#endif

namespace tenon::bench {
namespace {

struct Contestant {
  std::string name;
  std::function<std::unique_ptr<InsertionEngine>(const InsertionTrial&)> make;
};

struct Options {
  std::vector<double> clearances_um{500, 100, 50, 20, 10, 5};
  std::vector<double> frictions{0, 0.1};
  bool moreFriction = false;
  int repeats = 3;
  bool markdown = false;
  std::vector<std::string> engines;
};

std::vector<Contestant> contestants(const Options& options) {
  std::vector<Contestant> all{{"Tenon", makeTenon}};
#ifdef TENON_BENCH_MUJOCO
  all.push_back({mujocoName(), makeMujoco});
#endif
#ifdef TENON_BENCH_BULLET
  all.push_back({bulletName(), makeBullet});
#endif
  keepSelected(all, options.engines);
  return all;
}

void printHeader(bool markdown) {
  if (markdown) {
    fmt::print(
        "| c [µm] | μ | engine | inserted | penetration [µm] | peak push [N] | truth [N] | median step [µs] "
        "| p99 [µs] | × Tenon | aims missed |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    return;
  }
  fmt::print("{:>6} {:>5}  {:<16} {:<8} {:>12} {:>10} {:>10} {:>10} {:>10} {:>8}  {}\n", "c", "μ", "engine",
             "inserted", "penetration", "peak push", "truth", "median", "p99", "median", "aims");
  fmt::print("{:>6} {:>5}  {:<16} {:<8} {:>12} {:>10} {:>10} {:>10} {:>10} {:>8}  {}\n", "µm", "", "", "",
             "µm", "N", "N", "µs", "µs", "× Tenon", "missed");
}

/// Push of a slow hand, and whether the peg can be inserted.
tests::InsertionTruth truthOf(const InsertionTrial& trial) {
  tests::PlanarInsertion slow;
  slow.clearance = trial.clearance_um * 1e-6;
  slow.friction = trial.friction;
  return tests::insertionTruth(slow);
}

/// Which of Tenon's aims the outcome misses: 10 nm; 5 % of the push of statics and what the hand's damper
/// adds at 15 mm/s; 50 µs a step, with friction 200; 99 of 100 steps within three times that of the median.
std::string missed(const InsertionTrial& trial, const InsertionOutcome& outcome,
                   const tests::InsertionTruth& truth) {
  constexpr double kPenetration = 10e-9, kShare = 0.05, kDamping_n = 0.42, kTail = 3;
  std::vector<std::string> all;
  if (!(outcome.penetration <= kPenetration)) all.push_back("penetration");
  if (truth.arrives && !outcome.inserted) all.push_back("insertion");
  if (truth.arrives && outcome.inserted &&
      !(outcome.push >= (1 - kShare) * truth.peakPush &&
        outcome.push <= (1 + kShare) * truth.peakPush + kDamping_n))
    all.push_back("push");
  if (!(outcome.median_us <= (trial.friction > 0 ? 200 : 50))) all.push_back("median");
  if (!(outcome.p99_us <= kTail * outcome.median_us)) all.push_back("p99");
  return all.empty() ? "-" : fmt::format("{}", fmt::join(all, ", "));
}

void printRow(bool markdown, const InsertionTrial& trial, const std::string& name,
              const InsertionOutcome& outcome, const tests::InsertionTruth& truth, double reference_us) {
  const std::string push = truth.arrives ? fmt::format("{:.2f}", truth.peakPush) : "jams";
  const std::string inserted = outcome.inserted ? "yes" : fmt::format("at {:.1f} mm", outcome.depth * 1e3);
  const std::string penetration = outcome.penetration < 1e-6
                                      ? fmt::format("{:.4f}", outcome.penetration * 1e6)
                                      : fmt::format("{:.1f}", outcome.penetration * 1e6);
  const std::string ratio = reference_us > 0 ? fmt::format("{:.2f}", outcome.median_us / reference_us) : "-";
  const char* line =
      markdown ? "| {} | {} | {} | {} | {} | {:.2f} | {} | {:.0f} | {:.0f} | {} | {} |\n"
               : "{:>6} {:>5}  {:<16} {:<8} {:>12} {:>10.2f} {:>10} {:>10.0f} {:>10.0f} {:>8}  {}\n";
  fmt::print(fmt::runtime(line), trial.clearance_um, trial.friction, name, inserted, penetration,
             outcome.push, push, outcome.median_us, outcome.p99_us, ratio, missed(trial, outcome, truth));
  std::fflush(stdout);
}

void runAll(const Options& options) {
  const std::vector<Contestant> all = contestants(options);
  printHeader(options.markdown);
  for (const double clearance_um : options.clearances_um) {
    for (const double friction : options.frictions) {
      const InsertionTrial trial(clearance_um, friction);
      const tests::InsertionTruth truth = truthOf(trial);
      std::vector<std::vector<InsertionOutcome>> outcomes(all.size());
      // In turns, so that other load on the machine affects all alike.
      for (int k = 0; k < options.repeats; ++k)
        for (std::size_t e = 0; e < all.size(); ++e)
          outcomes[e].push_back(measure(trial, *all[e].make(trial)));
      const bool withTenon = !all.empty() && all.front().name == "Tenon";
      const double reference_us = withTenon ? medians(outcomes.front()).median_us : 0;
      for (std::size_t e = 0; e < all.size(); ++e)
        printRow(options.markdown, trial, all[e].name, medians(outcomes[e]), truth, reference_us);
    }
  }
}

void printNotes() {
  fmt::print(
      "\nPeg Ø10 × 60 mm, 0.1 kg; chamfer 45° × 1.5 mm; hand 2000 N/m, 2 N m/rad; 1000 Hz, 2500 steps.\n"
      "Penetration: worst at the end of any step, from the pose and the exact geometry, by no engine.\n"
      "Push: spring and damper of the hand along the bore. Truth: planar statics (a moving hand adds up to\n"
      "0.4 N of damping); \"jams\": more tilted at the mouth than √(2c/D) lets in.\n"
      "Aims: 10 nm; push within 5 % of the truth and 0.42 N of damping; 50 µs a step, with friction 200; "
      "p99\n"
      "within 3 times the median.\n"
      "MuJoCo and Bullet: bore of {} convex sectors tangent from outside; the hand's implicit terms as\n"
      "added mass. Settings: see their files.\n",
      kFacets);
  printMissingEngines();
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("The insertion benchmark: Tenon and its peers in one run.", "bench_insertion");
  app.add_option("--clearance-um", options.clearances_um, "Clearances [µm]")->capture_default_str();
  app.add_option("--friction", options.frictions, "Coulomb's coefficients")->capture_default_str();
  app.add_flag("--more-friction", options.moreFriction, "Also μ = 0.3, Tenon alone");
  app.add_option("--repeats", options.repeats, "Runs of each; the table has their medians")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--engine", options.engines, "Only these: Tenon, MuJoCo, Bullet");
  app.add_flag("--markdown", options.markdown, "Print a Markdown table, as in physics/benchmarks.md");
  CLI11_PARSE(app, argc, argv);
  runAll(options);
  if (options.moreFriction) {
    options.frictions = {0.3};
    options.engines = {"Tenon"};
    runAll(options);
  }
  printNotes();
  return 0;
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_insertion", tenon::bench::run, argc, argv);
}
