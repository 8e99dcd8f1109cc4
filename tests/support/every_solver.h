// The contact solvers as test parameters: what holds for one holds for all.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "physics/solver/solver_name.h"

namespace tenon::tests {

inline auto everySolver() {
  using physics::SolverName;
  return testing::Values(SolverName::automatic, SolverName::fischerNewton, SolverName::lemkeFixpoint);
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
