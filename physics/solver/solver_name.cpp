// Solver names to and from text.
#include "physics/solver/solver_name.h"

namespace tenon::physics {

std::string_view toText(SolverName name) {
  for (const auto& entry : kSolverNames)
    if (entry.name == name) return entry.text;
  return "unknown";
}

std::optional<SolverName> solverFromText(std::string_view text) {
  for (const auto& entry : kSolverNames)
    if (entry.text == text) return entry.name;
  return std::nullopt;
}

}  // namespace tenon::physics
