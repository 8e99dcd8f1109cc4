// bench_solvers: the dense complementarity methods of physics/solver/lcp and those of Siconos, DART and
// Bullet on the same seeded contact problems, in one process and one run.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "physics/solver/dense/dense_methods.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/solvers/contestant.h"
#include "tests/support/contact_problems.h"
#include "tests/support/lcp_reference.h"

namespace tenon::bench {
namespace {

using tests::ContactFamily;
using tests::ContactLoad;

/// A method whose median was longer than this is not run on larger problems of that family [s].
constexpr double kTooLong = 0.2;
/// Only runs shorter than this are repeated [s].
constexpr double kShort = 0.05;

struct Options {
  std::vector<std::string> families{"bolt", "zero clearance", "stack", "random"};
  std::vector<int> rows{8, 16, 32, 64, 128, 256, 400};
  std::vector<std::string> methods;
  int problems = 12;
  int repeats = 3;
  unsigned seed = 1;
  bool friction = false;
  int chain = 0;  ///< problems of the run of the chain alone; 0: none
  bool markdown = false;
};

/// Of one method on all problems of a family and size.
struct Outcome {
  std::vector<double> times_us;
  int above6 = 0, above9 = 0;  ///< natural residuals above 1e-6 and 1e-9 of max|b|
};

Contestants contestants(const Options& options) {
  Contestants all = tenonMethods(options.friction);
  const auto add = [&](Contestants more) {
    for (auto& one : more) all.push_back(std::move(one));
  };
#ifdef TENON_BENCH_SICONOS
  add(siconosMethods(options.friction));
#endif
#ifdef TENON_BENCH_DART
  if (!options.friction) add(dartMethods());
#endif
#ifdef TENON_BENCH_BULLET
  if (!options.friction) add(bulletMethods());
#endif
  std::erase_if(all, [&](const auto& one) {
    return one->name() != "auto" && !options.methods.empty() && !isSelected(one->name(), options.methods);
  });
  return all;
}

constexpr ContactFamily kFamilies[] = {ContactFamily::bolt, ContactFamily::zeroClearance,
                                       ContactFamily::stack, ContactFamily::random};
constexpr ContactLoad kLoads[] = {ContactLoad::constructed, ContactLoad::degenerate, ContactLoad::physical};

physics::DenseProblem drawProblem(ContactFamily family, ContactLoad load, int contacts, bool friction,
                                  std::mt19937& random) {
  auto drawn = friction ? tests::makeFrictionalContacts(family, load, contacts, random)
                        : tests::makeContactLcp(family, load, contacts, random);
  physics::DenseProblem problem;
  problem.A = std::move(drawn.A);
  problem.b = std::move(drawn.b);
  problem.mu = std::move(drawn.mu);
  problem.tolerance = 1e-9;
  return problem;
}

/// A third from a solution, a third from a degenerate one, a third pushed.
std::vector<physics::DenseProblem> drawProblems(const Options& options, ContactFamily family, int rows) {
  std::mt19937 random(options.seed + static_cast<unsigned>(rows));
  std::vector<physics::DenseProblem> all;
  for (int k = 0; k < options.problems; ++k)
    all.push_back(drawProblem(family, kLoads[k % 3], rows, options.friction, random));
  return all;
}

/// By no solver; of max|b|.
double relativeResidual(const physics::DenseProblem& problem, const Eigen::VectorXd& f) {
  if (!f.allFinite()) return HUGE_VAL;
  const double residual = problem.frictional() ? tests::coulombResidual(problem.A, problem.b, problem.mu, f)
                                               : tests::naturalResidual(problem.A, problem.b, f);
  return residual == 0 ? 0 : residual / problem.b.cwiseAbs().maxCoeff();
}

/// The shortest of a few times [s]: other load on the machine can only add.
double timeOf(Contestant& contestant, const physics::DenseProblem& problem, int repeats) {
  using Clock = std::chrono::steady_clock;
  double shortest = HUGE_VAL;
  for (int k = 0; k < repeats; ++k) {
    contestant.load(problem);
    const Clock::time_point start = Clock::now();
    contestant.solve();
    shortest = std::min(shortest, std::chrono::duration<double>(Clock::now() - start).count());
    if (shortest > kShort) break;
  }
  return shortest;
}

double medianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void measure(Contestant& contestant, const physics::DenseProblem& problem, int repeats, Outcome& outcome) {
  outcome.times_us.push_back(1e6 * timeOf(contestant, problem, repeats));
  const Eigen::VectorXd f = contestant.forces();
  const double residual = relativeResidual(problem, f);
  outcome.above6 += !(residual <= 1e-6);
  outcome.above9 += !(residual <= 1e-9);
}

/// Discards stdout and stderr, so the messages of the peers, while it exists.
class MutedOutput {
 public:
  MutedOutput() : out_(dup(STDOUT_FILENO)), err_(dup(STDERR_FILENO)) {
    flush();
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    close(null);
  }
  ~MutedOutput() {
    flush();
    dup2(out_, STDOUT_FILENO);
    dup2(err_, STDERR_FILENO);
    close(out_);
    close(err_);
  }
  MutedOutput(const MutedOutput&) = delete;
  MutedOutput& operator=(const MutedOutput&) = delete;

 private:
  static void flush() {
    std::fflush(stdout);
    std::fflush(stderr);
    std::cout.flush();
  }
  int out_, err_;
};

/// In turns, so that other load on the machine affects all alike.
std::vector<Outcome> measureAll(const Options& options, const std::vector<physics::DenseProblem>& problems,
                                Contestants& all, const std::vector<char>& tooLong) {
  const MutedOutput muted;
  std::vector<Outcome> outcomes(all.size());
  for (const auto& problem : problems)
    for (std::size_t c = 0; c < all.size(); ++c)
      if (tooLong[c] == 0) measure(*all[c], problem, options.repeats, outcomes[c]);
  return outcomes;
}

void printHeader(const Options& options) {
  if (options.markdown)
    fmt::print(
        "| family | K | method | median [µs] | × auto | > 10⁻⁶ | > 10⁻⁹ |\n|---|---|---|---|---|---|---|\n");
  else
    fmt::print("{:<15} {:>4}  {:<36} {:>12} {:>9} {:>7} {:>7}\n", "family", "K", "method", "median [µs]",
               "× auto", "> 1e-6", "> 1e-9");
}

void printRow(const Options& options, const std::string& family, int rows, const std::string& name,
              const Outcome& outcome, double reference_us) {
  const double median_us = medianOf(outcome.times_us);
  const char* line = options.markdown ? "| {} | {} | {} | {:.3g} | {:.3g} | {} | {} |\n"
                                      : "{:<15} {:>4}  {:<36} {:>12.1f} {:>9.3g} {:>7} {:>7}\n";
  fmt::print(fmt::runtime(line), family, rows, name, median_us, median_us / reference_us, outcome.above6,
             outcome.above9);
  std::fflush(stdout);
}

void runFamily(const Options& options, ContactFamily family) {
  Contestants all = contestants(options);
  std::vector<char> tooLong(all.size(), 0);
  for (const int rows : options.rows) {
    const auto problems = drawProblems(options, family, rows);
    const std::vector<Outcome> outcomes = measureAll(options, problems, all, tooLong);
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (tooLong[c] != 0) continue;
      printRow(options, toText(family), rows, all[c]->name(), outcomes[c], medianOf(outcomes[0].times_us));
      tooLong[c] = medianOf(outcomes[c].times_us) > 1e6 * kTooLong;
    }
  }
}

/// The chain of the running simulation alone (proximal-newton), from zero forces, on problems of up to 120
/// contacts of every family, with and without friction.
void runChain(const Options& options) {
  constexpr int kContacts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 120};
  constexpr int kCells = 2 * std::size(kFamilies) * std::size(kLoads);
  const auto chain = physics::makeDenseSolver("proximal-newton");
  fmt::print("{:<9} {:<15} {:<12} {:>9} {:>9} {:>9}\n", "friction", "family", "load", "problems", "solved",
             "share [%]");
  int problems = 0, solved = 0;
  for (const bool friction : {false, true})
    for (const ContactFamily family : kFamilies)
      for (const ContactLoad load : kLoads) {
        std::mt19937 random(options.seed);
        int solvedHere = 0;
        const int count = options.chain / kCells;
        for (int k = 0; k < count; ++k) {
          const auto problem =
              drawProblem(family, load, kContacts[k % std::size(kContacts)], friction, random);
          Eigen::VectorXd f = Eigen::VectorXd::Zero(problem.size());
          chain->solve(problem, f);
          solvedHere += relativeResidual(problem, f) <= 1e-9;
        }
        fmt::print("{:<9} {:<15} {:<12} {:>9} {:>9} {:>9.2f}\n", friction ? "yes" : "no", toText(family),
                   toText(load), count, solvedHere, 100.0 * solvedHere / std::max(1, count));
        std::fflush(stdout);
        problems += count;
        solved += solvedHere;
      }
  fmt::print("{:<38} {:>9} {:>9} {:>9.3f}\n", "all", problems, solved,
             100.0 * solved / std::max(1, problems));
}

void printNotes(const Options& options) {
  fmt::print(
      "\n{} problems of each family and size, seed {}: a third from a solution, a third degenerate, a third "
      "pushed.\nTimes: the shortest of {} runs of each problem, of which the median; copies into a peer's "
      "own "
      "layout are\nnot counted. Residual: ‖min(f, A f + b)‖∞ of max|b|, by no solver. Tolerance: 1e-9; peers "
      "1e-10 where\nit can be set. A method that took {} s is not run on larger problems of the family.\n",
      options.problems, options.seed, options.repeats, kTooLong);
#ifndef TENON_BENCH_SICONOS
  fmt::print("Siconos: not found (libsiconos-numerics-dev)\n");
#endif
#ifndef TENON_BENCH_DART
  fmt::print("DART: not found (libdart-dev)\n");
#endif
#ifndef TENON_BENCH_BULLET
  fmt::print("Bullet dynamics: not found (libbullet-dev)\n");
#endif
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Dense complementarity solvers, ours and others', on the same problems.", "bench_solvers");
  app.add_option("--family", options.families, "bolt, zero clearance, stack, random")
      ->check(CLI::IsMember(options.families))
      ->capture_default_str();
  app.add_option("--rows", options.rows, "Sizes")->check(CLI::Range(1, 2000))->capture_default_str();
  app.add_option("--method", options.methods, "Only methods whose names begin with this, and auto");
  app.add_option("--problems", options.problems, "Of each family and size")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--repeats", options.repeats, "Runs of each problem")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_flag("--friction", options.friction, "Contacts with friction: three rows for each of --rows");
  app.add_option("--chain", options.chain, "Only proximal-newton, on this many problems of all families")
      ->check(CLI::Range(0, 10000000));
  app.add_flag("--markdown", options.markdown, "Print a Markdown table, as in physics/benchmarks.md");
  CLI11_PARSE(app, argc, argv);
  if (options.chain > 0) {
    runChain(options);
    return 0;
  }
  printHeader(options);
  for (const ContactFamily family : kFamilies)
    if (std::count(options.families.begin(), options.families.end(), toText(family)) > 0)
      runFamily(options, family);
  printNotes(options);
  return 0;
}

/// Siconos' linear algebra reads its number of threads when it is loaded: one, as ours.
void restartWithOneThread(char** argv) {
  if (std::getenv("OPENBLAS_NUM_THREADS") != nullptr) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", argv);
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  tenon::bench::restartWithOneThread(argv);
  return tenon::bench::benchMain("bench_solvers", tenon::bench::run, argc, argv);
}
