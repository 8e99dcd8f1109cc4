// The names of the contact solvers: in commands, results and records.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace tenon::physics {

enum class SolverName { automatic, fischerNewton, lemkeFixpoint, bilateralNewton, gaussSeidel, baraff };

struct SolverNameText {
  SolverName name;
  std::string_view text;
};

/// In the order in which they are listed to people.
inline constexpr std::array kSolverNames{
    SolverNameText{SolverName::automatic, "auto"},
    SolverNameText{SolverName::fischerNewton, "fischer-newton"},
    SolverNameText{SolverName::lemkeFixpoint, "lemke-fixpoint"},
    SolverNameText{SolverName::bilateralNewton, "bilateral-newton"},
    SolverNameText{SolverName::gaussSeidel, "gauss-seidel"},
    SolverNameText{SolverName::baraff, "baraff"},
};

std::string_view toText(SolverName name);
std::optional<SolverName> solverFromText(std::string_view text);

}  // namespace tenon::physics
