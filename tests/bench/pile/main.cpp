// bench_pile: cost of a block in a pile for Tenon, MuJoCo and Bullet, in one process and one run.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "tests/bench/bench_program.h"
#include "tests/bench/pile/pile_trial.h"
#ifdef TENON_BENCH_MUJOCO
#include "tests/bench/mujoco_model.h"
#endif

namespace tenon::bench {
namespace {

struct Contestant {
  std::string name;
  std::function<std::unique_ptr<PileEngine>(const PileTrial&)> make;
};

struct Options {
  std::vector<int> blocks{20, 50, 100, 200, 500};
  double friction = 0;
  int seed = 1;
  Patience patience{60, 5};
  bool markdown = false;
  std::vector<std::string> engines;
};

/// A peer at its usual settings and at those with the least overlap.
void addPeer(std::vector<Contestant>& all, const std::string& name,
             std::unique_ptr<PileEngine> (*make)(const PileTrial&, Effort)) {
  all.push_back({name, [make](const PileTrial& trial) { return make(trial, Effort::usual); }});
  all.push_back({name + " tight", [make](const PileTrial& trial) { return make(trial, Effort::tight); }});
}

std::vector<Contestant> contestants(const Options& options) {
  std::vector<Contestant> all{{"Tenon", makeTenon}};
#ifdef TENON_BENCH_MUJOCO
  addPeer(all, mujocoName(), makeMujoco);
#endif
#ifdef TENON_BENCH_BULLET
  addPeer(all, bulletName(), makeBullet);
#endif
  keepSelected(all, options.engines);
  return all;
}

void printHeader(bool markdown) {
  if (markdown) {
    fmt::print(
        "| blocks | engine | settling [µs] | a block | × Tenon | resting [µs] | a block | × Tenon "
        "| penetration [µm] | resting [µm] | drift [mm/s] | simulated [s] | remark |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    return;
  }
  const char* line = "{:>6}  {:<19} {:>10} {:>8} {:>8} {:>10} {:>8} {:>8} {:>12} {:>10} {:>8} {:>6}  {}\n";
  fmt::print(fmt::runtime(line), "blocks", "engine", "settling", "a block", "median", "resting", "a block",
             "median", "penetration", "resting", "drift", "came", "remark");
  fmt::print(fmt::runtime(line), "", "", "µs", "µs", "× Tenon", "µs", "µs", "× Tenon", "µm", "µm", "mm/s",
             "s", "");
}

/// A median, the same per block, and its ratio to Tenon's; dashes where not measured.
struct Times {
  std::string step = "-", block = "-", ratio = "-";

  Times(std::optional<double> us, std::optional<double> reference_us, int blocks) {
    if (!us) return;
    step = fmt::format("{:.0f}", *us);
    block = fmt::format("{:.2f}", *us / blocks);
    if (reference_us) ratio = fmt::format("{:.3g}", *us / *reference_us);
  }
};

void printRow(const Options& options, int blocks, const std::string& name, const PileOutcome& outcome,
              const std::optional<PileOutcome>& tenon) {
  // Ratios only of the same simulated time.
  const bool bothSettled = tenon && tenon->resting_us && outcome.resting_us;
  const bool bothRested = bothSettled && tenon->simulated == outcome.simulated;
  const Times settling(outcome.settling_us, bothSettled ? tenon->settling_us : std::nullopt, blocks);
  const Times resting(outcome.resting_us, bothRested ? tenon->resting_us : std::nullopt, blocks);
  const auto micrometers = [](std::optional<double> m) { return m ? fmt::format("{:.4g}", *m * 1e6) : "-"; };
  const char* line =
      options.markdown
          ? "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2f} | {:.2f} | {} |\n"
          : "{:>6}  {:<19} {:>10} {:>8} {:>8} {:>10} {:>8} {:>8} {:>12} {:>10} {:>8.2f} {:>6.2f}  {}\n";
  fmt::print(fmt::runtime(line), blocks, name, settling.step, settling.block, settling.ratio, resting.step,
             resting.block, resting.ratio, micrometers(outcome.penetration),
             micrometers(outcome.restingPenetration), outcome.drift * 1e3, outcome.simulated, outcome.remark);
  std::fflush(stdout);
}

void runAll(const Options& options) {
  const std::vector<Contestant> all = contestants(options);
  printHeader(options.markdown);
  for (const int blocks : options.blocks) {
    const PileTrial trial(blocks, options.friction, options.seed);
    std::optional<PileOutcome> tenon;
    for (const Contestant& one : all) {
      const PileOutcome outcome = measure(trial, *one.make(trial), options.patience);
      if (one.name == "Tenon") tenon = outcome;
      printRow(options, blocks, one.name, outcome, tenon);
    }
  }
}

void printNotes(const Options& options) {
  fmt::print(
      "\ncontent/scenes/pile.json, friction {}, seed {}, 1000 Hz, the same start poses for all, one thread.\n"
      "Settling: median step from {} s to {} s; resting: after that; an engine is stopped when its steps\n"
      "have taken {} s (\"came\": how far it got, and what it was measured on). Ratios only where both came\n"
      "through the same time.\n"
      "Penetration: worst of every {} steps, and of those while resting, from the poses by Tenon's "
      "collision\n"
      "detection, by no engine.\n"
      "Drift: mean speed of the blocks over the last tenth of a second.\n"
      "Peers: usual settings, and \"tight\", those with the least overlap; see their files.\n",
      options.friction, options.seed, kLanding, kResting, options.patience.budget, options.patience.every);
  printMissingEngines();
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Piles of blocks: Tenon and its peers in one run.", "bench_pile");
  app.add_option("--blocks", options.blocks, "How many")->check(CLI::Range(1, 500))->capture_default_str();
  app.add_option("--friction", options.friction, "Coulomb's coefficient")->capture_default_str();
  app.add_option("--seed", options.seed, "Of the blocks")->capture_default_str();
  app.add_option("--budget-s", options.patience.budget, "Real time for the steps of one run [s]")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--every", options.patience.every, "Steps between two measurements of overlap")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--engine", options.engines, "Only these: Tenon, MuJoCo, Bullet");
  app.add_flag("--markdown", options.markdown, "Print a Markdown table, as in physics/benchmarks.md");
  CLI11_PARSE(app, argc, argv);
  runAll(options);
  printNotes(options);
  return 0;
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_pile", tenon::bench::run, argc, argv);
}
