// tenon solve: a bare complementarity problem through the solvers, side by side.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "content/reader/load_problem.h"
#include "physics/solver/lcp/dense_chain.h"
#include "runtime/commands/command.h"
#include "runtime/report/text_table.h"
#include "runtime/report/units_text.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/terminal.h"
#include "runtime/session/usage.h"

namespace tenon::runtime {

namespace {

struct SolveOptions {
  std::string file;
  std::string solver = "auto";
  bool json = false;
};

enum class Status { solved, failed, unsupported };

/// What one solver made of the problem.
struct Answer {
  std::string solver;
  Status status = Status::unsupported;
  std::string reason;  ///< where not solved
  int iterations = 0;
  double time = 0;      ///< [µs]
  double residual = 0;  ///< natural, of A and b as given
  Eigen::VectorXd f, w;
};

/// Rows of f and w that people are shown.
constexpr Eigen::Index kShownRows = 12;

std::string toText(Status status) {
  return status == Status::solved ? "solved" : status == Status::failed ? "failed" : "unsupported";
}

Answer answerOf(std::string_view name, const physics::DenseProblem& problem) {
  using Clock = std::chrono::steady_clock;
  const auto solver = physics::makeDenseSolver(name);
  Answer answer;
  answer.solver = name;
  answer.reason = solver->unsupported(problem);
  if (!answer.reason.empty()) return answer;
  solver->reserve(problem.size());
  answer.f = Eigen::VectorXd::Zero(problem.size());
  const Clock::time_point start = Clock::now();
  const physics::DenseReport report = solver->solve(problem, answer.f);
  answer.time = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  answer.status = report.solved ? Status::solved : Status::failed;
  answer.reason = report.reason;
  answer.iterations = report.iterations;
  answer.residual = report.residual;
  answer.w = problem.A * answer.f + problem.b;
  return answer;
}

std::string toJson(const std::vector<Answer>& answers) {
  using Json = nlohmann::ordered_json;
  const auto list = [](const Eigen::VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
  Json json = Json::array();
  for (const Answer& answer : answers) {
    Json entry = {
        {"solver", answer.solver}, {"status", toText(answer.status)},     {"iterations", answer.iterations},
        {"time_us", answer.time},  {"natural_residual", answer.residual}, {"f", list(answer.f)},
        {"w", list(answer.w)}};
    if (answer.status == Status::unsupported) entry["natural_residual"] = nullptr;
    if (!answer.reason.empty()) entry["reason"] = answer.reason;
    json.push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

std::string rowsOf(const Answer& answer) {
  TextTable table({"row", "f", "w"});
  const Eigen::Index shown = std::min(kShownRows, answer.f.size());
  for (Eigen::Index k = 0; k < shown; ++k)
    table.add({std::to_string(k), fmt::format("{:.6g}", answer.f[k]), fmt::format("{:.6g}", answer.w[k])});
  std::string text = fmt::format("\n{} found\n\n{}", answer.solver, table.text(2));
  if (shown < answer.f.size())
    text += fmt::format("  … and {} rows more, all of them with --json\n", answer.f.size() - shown);
  return text;
}

std::string toText(const std::string& file, const physics::DenseProblem& problem,
                   const std::vector<Answer>& answers, bool color) {
  const auto joints = std::count(problem.joint.begin(), problem.joint.end(), 1);
  std::string text =
      fmt::format("{}: {}, {}, {}, {}; tolerance {:.3g}\n\n", file, countText(problem.size(), "row"),
                  problem.symmetric() ? "symmetric" : "not symmetric", countText(joints, "joint"),
                  problem.frictional()
                      ? countText(static_cast<long long>(problem.mu.size()), "contact") + " with friction"
                      : std::string("no friction"),
                  problem.absoluteTolerance());
  TextTable table({"solver", "status", "iterations", "time", "residual", ""});
  for (const Answer& answer : answers) {
    const std::string status = toText(answer.status);
    if (answer.status == Status::unsupported)
      table.add({answer.solver, status, "", "", "", answer.reason});
    else
      table.add({answer.solver, status, std::to_string(answer.iterations),
                 fmt::format("{:.0f} µs", answer.time), fmt::format("{:.2g}", answer.residual),
                 answer.reason});
    if (color) table.paint(1, answer.status == Status::solved ? Color::green : Color::yellow);
  }
  text += table.text(2);
  const auto best = std::find_if(answers.begin(), answers.end(),
                                 [](const Answer& answer) { return answer.status == Status::solved; });
  return best == answers.end() ? text : text + rowsOf(*best);
}

int solve(const SolveOptions& options) {
  const physics::DenseProblem problem = content::loadProblem(options.file);
  std::vector<Answer> answers;
  for (const std::string_view name : physics::kDenseSolverNames)
    if (options.solver == "all" || options.solver == name) answers.push_back(answerOf(name, problem));
  const auto has = [&](Status status) {
    return std::any_of(answers.begin(), answers.end(), [&](const Answer& a) { return a.status == status; });
  };
  printResult(options.json ? toJson(answers) : toText(options.file, problem, answers, supportsColor(stdout)));
  if (!has(Status::solved) && !has(Status::failed))
    say(fmt::format("{} does not take this problem: {}", options.solver, answers.front().reason));
  return has(Status::failed) ? kGoalNotReached : kSuccess;
}

}  // namespace

void addSolveCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<SolveOptions>();
  std::vector<std::string> names(physics::kDenseSolverNames.begin(), physics::kDenseSolverNames.end());
  names.emplace_back("all");
  CLI::App* command =
      program.add_subcommand("solve", "Solve a bare complementarity problem, by one solver or by all");
  command->add_option("PROBLEM", options->file, "Problem file (JSON)")->type_name("")->required();
  command->add_option("--solver", options->solver, "Solver, or all of them one after the other")
      ->type_name("NAME")
      ->check(oneOf(names))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON array instead of tables");
  command->footer(
      "The file: {\"A\": [[...]], \"b\": [...], \"joint\": [true or false...], \"mu\": [...], \"tolerance\": "
      "x}, of\n"
      "which A and b are required; at most 1000 rows. Sought is f with w = A f + b >= 0, f >= 0, f'w = 0; in "
      "joint\n"
      "rows w = 0 and f is free. With mu, rows come by threes (normal, tangent, tangent), and f keeps "
      "Coulomb's law\n"
      "with w as the relative velocity. A solution counts where min(f, w) is 0 to the tolerance, 1e-8, times "
      "the\n"
      "largest |b|: that is checked on A and b, whatever a solver says.\n\n"
      "Examples:\n"
      "  tenon solve tests/data/table.json\n"
      "  tenon solve tests/data/table.json --solver all\n"
      "  tenon solve tests/data/sliding.json --solver gauss-seidel --json\n\n"
      "Exit codes: 0 every solver asked that takes such a problem solved it, 1 some did not, 2 bad input or\n"
      "usage.");
  command->callback([options, &exitCode] { exitCode = solve(*options); });
}

}  // namespace tenon::runtime
