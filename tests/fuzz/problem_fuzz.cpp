// Fuzzes the problem reader: any bytes give either a valid problem, for which the solvers terminate with
// finite forces, or an error in one line. Any other exception is a defect.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "content/reader/load_problem.h"
#include "physics/solver/dense/dense_methods.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenon;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const physics::DenseProblem problem = content::parseProblem(text, "fuzz.json");
    const auto rows = static_cast<std::size_t>(problem.size());
    const bool sound = rows > 0 && problem.A.allFinite() && problem.b.allFinite() && problem.tolerance > 0 &&
                       problem.A.rows() == problem.A.cols() && problem.A.rows() == problem.b.size() &&
                       (problem.joint.empty() || problem.joint.size() == rows) &&
                       (problem.mu.empty() || problem.mu.size() * 3 == rows);
    if (!sound) std::abort();
    if (rows > 12) return 0;
    for (const std::string_view name : physics::kDenseSolverNames) {
      const auto solver = physics::makeDenseSolver(name);
      if (!solver->unsupported(problem).empty()) continue;
      Eigen::VectorXd f = Eigen::VectorXd::Zero(problem.size());
      solver->solve(problem, f);
      if (!f.allFinite()) std::abort();
    }
  } catch (const content::InputError& error) {
    if (std::string(error.what()).find_first_of("\r\n") != std::string::npos) std::abort();
  }
  return 0;
}
