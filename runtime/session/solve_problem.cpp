// See solve_problem.h.
#include "runtime/session/solve_problem.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "content/input/input_error.h"
#include "physics/solver/dense/dense_methods.h"
#include "runtime/session/solver_settings.h"

namespace tenon::runtime {

namespace {

Solution solveWith(std::string_view name, const physics::DenseProblem& problem,
                   const physics::BaraffOptions& baraff) {
  using Clock = std::chrono::steady_clock;
  const auto solver = physics::makeDenseSolver(name, baraff);
  Solution solution;
  solution.solver = name;
  solution.reason = solver->unsupported(problem);
  if (!solution.reason.empty()) return solution;
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
  solution.status = report.solved ? SolveStatus::solved : SolveStatus::failed;
  solution.iterations = report.iterations;
  solution.residual = report.residual;
  solution.w = problem.A * solution.f + problem.b;
  return solution;
}

}  // namespace

std::string statusText(SolveStatus status) {
  return status == SolveStatus::solved ? "solved" : status == SolveStatus::failed ? "failed" : "unsupported";
}

std::vector<Solution> solveProblem(const physics::DenseProblem& problem, const SolveSettings& settings) {
  const auto& names = physics::kDenseSolverNames;
  const bool all = settings.solver == "all";
  if (!all && std::find(names.begin(), names.end(), settings.solver) == names.end())
    throw content::InputError("--solver", settings.solver, "is not a solver of problems",
                              "give all, or a name that tenon solve --help lists");
  const std::string of = all ? "baraff" : settings.solver;
  const physics::BaraffOptions baraff = solverOptions({of, settings.settings}, settings.seed).baraff;
  std::vector<Solution> solutions;
  for (const std::string_view name : names)
    if (all || settings.solver == name) solutions.push_back(solveWith(name, problem, baraff));
  return solutions;
}

bool anyHas(const std::vector<Solution>& solutions, SolveStatus status) {
  return std::any_of(solutions.begin(), solutions.end(),
                     [&](const Solution& solution) { return solution.status == status; });
}

std::string solutionsJson(const std::vector<Solution>& solutions) {
  const auto list = [](const Eigen::VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
  using Json = nlohmann::ordered_json;
  Json json = Json::array();
  for (const Solution& solution : solutions) {
    Json entry = {{"solver", solution.solver},
                  {"status", statusText(solution.status)},
                  {"iterations", solution.iterations},
                  {"time_us", solution.time},
                  {"natural_residual", solution.residual},
                  {"f", list(solution.f)},
                  {"w", list(solution.w)}};
    if (solution.status == SolveStatus::unsupported) entry["natural_residual"] = nullptr;
    if (!solution.reason.empty()) entry["reason"] = solution.reason;
    json.push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

}  // namespace tenon::runtime
