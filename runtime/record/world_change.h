// What a person does to a session besides moving hands, as its record tells it: changes of the world, marks.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "physics/solver/solver_name.h"

namespace tenon::runtime {

/// The world is again what it was after an earlier tick of the session: an undo, a redo.
struct ReturnTo {
  std::int64_t tick = 0;
};

struct SetSolver {
  physics::SolverName solver = physics::SolverName::automatic;
};

struct SetRate {
  double rate = 0;  ///< [Hz]
};

/// Enters the world at the start of a step, before its commands.
using WorldChange = std::variant<ReturnTo, SetSolver, SetRate>;

/// Something to be found again: an event that no state shows.
struct SessionMark {
  std::string kind;  ///< "bookmark", "note", "undo", "redo", "solver", "rate", "guidance"
  std::string text;  ///< or ""
};

}  // namespace tenon::runtime
