// Solves a complementarity problem with one solver or all: `tenon solve`, and the service.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "physics/solver/lcp/dense_problem.h"

namespace tenon::runtime {

enum class SolveStatus { solved, failed, unsupported };

/// The result of one solver.
struct Solution {
  std::string solver;
  SolveStatus status = SolveStatus::unsupported;
  std::string reason;  ///< if not solved
  int iterations = 0;
  double time = 0;      ///< [µs]
  double residual = 0;  ///< natural residual of the given A and b
  Eigen::VectorXd f, w;
};

std::string statusText(SolveStatus status);

struct SolveSettings {
  std::string solver = "auto";        ///< name, or "all"
  std::vector<std::string> settings;  ///< "NAME=VALUE", of baraff
  std::uint64_t seed = 1;             ///< of baraff's random order
};

/// One solution per selected solver. Throws content::InputError for an unknown solver or a bad setting.
std::vector<Solution> solveProblem(const physics::DenseProblem& problem, const SolveSettings& settings);

/// True if a solver has this status.
bool anyHas(const std::vector<Solution>& solutions, SolveStatus status);

/// The array that `tenon solve --json` prints.
std::string solutionsJson(const std::vector<Solution>& solutions);

}  // namespace tenon::runtime
