// tenon solve: solves a complementarity problem with one or all solvers and compares the results.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>

#include "content/reader/load_problem.h"
#include "physics/solver/dense/dense_methods.h"
#include "runtime/commands/command.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/solver_settings.h"
#include "runtime/session/terminal.h"
#include "runtime/session/usage.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

struct SolveOptions {
  std::string file;
  std::string solver = "auto";
  std::vector<std::string> settings;  ///< "NAME=VALUE", of baraff
  std::uint64_t seed = 1;
  bool json = false;
};

enum class Status { solved, failed, unsupported };

/// The result of one solver.
struct Solution {
  std::string solver;
  Status status = Status::unsupported;
  std::string reason;  ///< if not solved
  int iterations = 0;
  double time = 0;      ///< [µs]
  double residual = 0;  ///< natural residual of the given A and b
  Eigen::VectorXd f, w;
};

constexpr Eigen::Index kMaxPrintedRows = 12;  ///< of f and w

std::string statusText(Status status) {
  return status == Status::solved ? "solved" : status == Status::failed ? "failed" : "unsupported";
}

Solution solveWith(std::string_view name, const physics::DenseProblem& problem,
                   const physics::BaraffOptions& baraff) {
  using Clock = std::chrono::steady_clock;
  const auto solver = physics::makeDenseSolver(name, baraff);
  Solution solution;
  solution.solver = name;
  solution.reason = solver->unsupported(problem);
  if (!solution.reason.empty()) return solution;
  solver->reserve(problem.size());
  solution.f = Eigen::VectorXd::Zero(problem.size());
  const Clock::time_point start = Clock::now();
  const physics::DenseReport report = solver->solve(problem, solution.f);
  solution.time = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  solution.reason = report.reason;
  if (report.reason == physics::dense_reason::kIndefinite) {  // found only while solving
    solution.f.resize(0);
    solution.time = 0;
    return solution;
  }
  solution.status = report.solved ? Status::solved : Status::failed;
  solution.iterations = report.iterations;
  solution.residual = report.residual;
  solution.w = problem.A * solution.f + problem.b;
  return solution;
}

std::string solutionsJson(const std::vector<Solution>& solutions) {
  const auto list = [](const Eigen::VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
  Json json = Json::array();
  for (const Solution& solution : solutions) {
    Json entry = {{"solver", solution.solver},
                  {"status", statusText(solution.status)},
                  {"iterations", solution.iterations},
                  {"time_us", solution.time},
                  {"natural_residual", solution.residual},
                  {"f", list(solution.f)},
                  {"w", list(solution.w)}};
    if (solution.status == Status::unsupported) entry["natural_residual"] = nullptr;
    if (!solution.reason.empty()) entry["reason"] = solution.reason;
    json.push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

std::string rowTable(const Solution& solution) {
  TextTable table({"row", "f", "w"});
  const Eigen::Index shown = std::min(kMaxPrintedRows, solution.f.size());
  for (Eigen::Index k = 0; k < shown; ++k)
    table.add(
        {std::to_string(k), fmt::format("{:.6g}", solution.f[k]), fmt::format("{:.6g}", solution.w[k])});
  std::string text = fmt::format("\nSolution of {}\n\n{}", solution.solver, table.text(2));
  if (shown < solution.f.size())
    text += fmt::format("  … and {} more rows (all with --json)\n", solution.f.size() - shown);
  return text;
}

std::string solutionsText(const std::string& file, const physics::DenseProblem& problem,
                          const std::vector<Solution>& solutions, bool color) {
  const auto joints = std::count(problem.joint.begin(), problem.joint.end(), 1);
  std::string text =
      fmt::format("{}: {}, {}, {}, {}; tolerance {:.3g}\n\n", file, countText(problem.size(), "row"),
                  problem.symmetric() ? "symmetric" : "not symmetric", countText(joints, "joint"),
                  problem.frictional()
                      ? countText(static_cast<long long>(problem.mu.size()), "contact") + " with friction"
                      : std::string("no friction"),
                  problem.absoluteTolerance());
  TextTable table({"solver", "status", "iterations", "time", "residual", ""});
  for (const Solution& solution : solutions) {
    const std::string status = statusText(solution.status);
    if (solution.status == Status::unsupported)
      table.add({solution.solver, status, "", "", "", solution.reason});
    else
      table.add({solution.solver, status, std::to_string(solution.iterations),
                 fmt::format("{:.0f} µs", solution.time), fmt::format("{:.2g}", solution.residual),
                 solution.reason});
    if (color) table.paint(1, solution.status == Status::solved ? Color::green : Color::yellow);
  }
  text += table.text(2);
  const auto best = std::find_if(solutions.begin(), solutions.end(),
                                 [](const Solution& solution) { return solution.status == Status::solved; });
  return best == solutions.end() ? text : text + rowTable(*best);
}

int solve(const SolveOptions& options) {
  const physics::DenseProblem problem = content::loadProblem(options.file);
  const std::string of = options.solver == "all" ? "baraff" : options.solver;
  const physics::BaraffOptions baraff = solverOptions({of, options.settings}, options.seed).baraff;
  std::vector<Solution> solutions;
  for (const std::string_view name : physics::kDenseSolverNames)
    if (options.solver == "all" || options.solver == name)
      solutions.push_back(solveWith(name, problem, baraff));
  const auto has = [&](Status status) {
    return std::any_of(solutions.begin(), solutions.end(),
                       [&](const Solution& a) { return a.status == status; });
  };
  printResult(options.json ? solutionsJson(solutions)
                           : solutionsText(options.file, problem, solutions, supportsColor(stdout)));
  if (!has(Status::solved) && !has(Status::failed))
    printMessage(
        fmt::format("{} does not support this problem: {}", options.solver, solutions.front().reason));
  return has(Status::failed) ? kGoalNotReached : kSuccess;
}

}  // namespace

void addSolveCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<SolveOptions>();
  std::vector<std::string> names(physics::kDenseSolverNames.begin(), physics::kDenseSolverNames.end());
  names.emplace_back("all");
  CLI::App* command =
      program.add_subcommand("solve", "Solve a complementarity problem with one solver or all");
  command->add_option("PROBLEM", options->file, "Problem file (JSON)")->type_name("")->required();
  command->add_option("--solver", options->solver, "Solver name, or all")
      ->type_name("NAME")
      ->check(oneOf(names))
      ->capture_default_str();
  command
      ->add_option("--solver-option", options->settings,
                   "Set an option of baraff: next-contact=hybrid|min-accel|random|pre-ordered, "
                   "contact-order=N,N,… (rows from 0, pre-ordered)")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--seed", options->seed, "Seed of baraff's random order")->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON array instead of tables");
  command->footer(
      "The file: {\"A\": [[...]], \"b\": [...], \"joint\": [true or false...], \"mu\": [...], \"tolerance\": "
      "x};\n"
      "A and b are required; at most 1000 rows. Finds f with w = A f + b >= 0, f >= 0, f'w = 0; joint rows\n"
      "have w = 0 and free f. With mu, rows are triples (normal, tangent, tangent), and f satisfies "
      "Coulomb's\n"
      "law with w as the relative velocity. A solution is accepted if |min(f, w)| is at most the tolerance\n"
      "(default 1e-8) times the largest |b|; this is verified on A and b independently of the solver.\n\n"
      "Examples:\n"
      "  tenon solve tests/data/table.json\n"
      "  tenon solve tests/data/table.json --solver all\n"
      "  tenon solve tests/data/sliding.json --solver gauss-seidel --json\n\n"
      "Exit codes: 0 every selected solver that supports the problem solved it, 1 some did not, 2 bad input\n"
      "or usage.");
  command->callback([options, &exitCode] { exitCode = solve(*options); });
}

}  // namespace tenon::runtime
