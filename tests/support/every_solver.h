// The contact solvers as test parameters: what holds for one holds for all.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "physics/solver/solver_name.h"

namespace tenon::tests {

/// Those that promise distances at the end of the step.
inline auto everySolver() {
  using physics::SolverName;
  return testing::Values(SolverName::automatic, SolverName::proximalNewton, SolverName::fischerNewton,
                         SolverName::lemkeFixpoint, SolverName::bilateralNewton, SolverName::gaussSeidel);
}

/// Those whose forces are exact to rounding: gauss-seidel stops at distances of 10⁻¹⁰ m.
inline auto everyExactSolver() {
  using physics::SolverName;
  return testing::Values(SolverName::automatic, SolverName::proximalNewton, SolverName::fischerNewton,
                         SolverName::lemkeFixpoint, SolverName::bilateralNewton);
}

/// And baraff, which promises accelerations, without friction.
inline auto everySolverAndBaraff() {
  using physics::SolverName;
  return testing::Values(SolverName::automatic, SolverName::proximalNewton, SolverName::fischerNewton,
                         SolverName::lemkeFixpoint, SolverName::bilateralNewton, SolverName::gaussSeidel,
                         SolverName::baraff);
}

inline std::string solverName(physics::SolverName solver) {
  std::string name(physics::toText(solver));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

inline std::string solverTestName(const testing::TestParamInfo<physics::SolverName>& it) {
  return solverName(it.param);
}

}  // namespace tenon::tests
