// The names of the contact solvers: in commands, results and records.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace tenon::physics {

enum class SolverName {
  automatic,
  fischerNewton,
  lemkeFixpoint,
  bilateralNewton,
  gaussSeidel,
  baraff,
  proximalNewton,
};

/// A solver's name in code and in text.
struct SolverNameText {
  SolverName name;        ///< in code
  std::string_view text;  ///< in commands, results and records
};

/// In the order of lists and help texts.
inline constexpr std::array kSolverNames{
    SolverNameText{SolverName::automatic, "auto"},
    SolverNameText{SolverName::proximalNewton, "proximal-newton"},
    SolverNameText{SolverName::fischerNewton, "fischer-newton"},
    SolverNameText{SolverName::lemkeFixpoint, "lemke-fixpoint"},
    SolverNameText{SolverName::bilateralNewton, "bilateral-newton"},
    SolverNameText{SolverName::gaussSeidel, "gauss-seidel"},
    SolverNameText{SolverName::baraff, "baraff"},
};

std::string_view toText(SolverName name);
std::optional<SolverName> solverFromText(std::string_view text);

}  // namespace tenon::physics
