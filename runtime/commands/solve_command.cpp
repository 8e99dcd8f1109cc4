// tenon solve: solves a complementarity problem with one or all solvers and compares the results.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "content/reader/load_problem.h"
#include "physics/solver/dense/dense_methods.h"
#include "runtime/commands/command.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/solve_problem.h"
#include "runtime/session/terminal.h"
#include "runtime/session/usage.h"

namespace tenon::runtime {

namespace {

struct SolveOptions {
  std::string file;
  SolveSettings solve;
  bool json = false;
};

constexpr Eigen::Index kMaxPrintedRows = 12;  ///< of f and w

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
    if (solution.status == SolveStatus::unsupported)
      table.add({solution.solver, status, "", "", "", solution.reason});
    else
      table.add({solution.solver, status, std::to_string(solution.iterations),
                 fmt::format("{:.0f} µs", solution.time), fmt::format("{:.2g}", solution.residual),
                 solution.reason});
    if (color) table.paint(1, solution.status == SolveStatus::solved ? Color::green : Color::yellow);
  }
  text += table.text(2);
  const auto best = std::find_if(solutions.begin(), solutions.end(), [](const Solution& solution) {
    return solution.status == SolveStatus::solved;
  });
  return best == solutions.end() ? text : text + rowTable(*best);
}

int solve(const SolveOptions& options) {
  const physics::DenseProblem problem = content::loadProblem(options.file);
  const std::vector<Solution> solutions = solveProblem(problem, options.solve);
  printResult(options.json ? solutionsJson(solutions)
                           : solutionsText(options.file, problem, solutions, supportsColor(stdout)));
  if (!anyHas(solutions, SolveStatus::solved) && !anyHas(solutions, SolveStatus::failed))
    printMessage(
        fmt::format("{} does not support this problem: {}", options.solve.solver, solutions.front().reason));
  return anyHas(solutions, SolveStatus::failed) ? kGoalNotReached : kSuccess;
}

}  // namespace

void addSolveCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<SolveOptions>();
  std::vector<std::string> names(physics::kDenseSolverNames.begin(), physics::kDenseSolverNames.end());
  names.emplace_back("all");
  CLI::App* command =
      program.add_subcommand("solve", "Solve a complementarity problem with one solver or all");
  command->add_option("PROBLEM", options->file, "Problem file (JSON)")->type_name("")->required();
  command->add_option("--solver", options->solve.solver, "Solver name, or all")
      ->type_name("NAME")
      ->check(oneOf(names))
      ->capture_default_str();
  command
      ->add_option("--solver-option", options->solve.settings,
                   "Set an option of baraff: next-contact=hybrid|min-accel|random|pre-ordered, "
                   "contact-order=N,N,… (rows from 0, pre-ordered)")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--seed", options->solve.seed, "Seed of baraff's random order")->capture_default_str();
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
