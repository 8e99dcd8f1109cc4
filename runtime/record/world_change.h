// Recorded user inputs besides hand motion: changes of the world, and marks.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "physics/solver/solver_name.h"

namespace tenon::runtime {

/// Restores the world after an earlier tick of the session: undo, redo.
struct ReturnTo {
  std::int64_t tick = 0;
};

struct SetSolver {
  physics::SolverName solver = physics::SolverName::automatic;
};

struct SetRate {
  double rate = 0;  ///< [Hz]
};

/// Applied at the start of a step, before its commands.
using WorldChange = std::variant<ReturnTo, SetSolver, SetRate>;

/// A mark in the record: an event that no state shows.
struct SessionMark {
  std::string kind;  ///< "bookmark", "note", "undo", "redo", "solver", "rate", "guidance",
                     ///< "dynamics", "training"
  std::string text;  ///< or ""
};

}  // namespace tenon::runtime
