// The options --solver, --accuracy and --solver-option.
#pragma once

#include <string>
#include <vector>

#include "content/model/scene.h"
#include "physics/solver/solver_name.h"
#include "physics/solver/solver_options.h"
#include "runtime/session/command_line.h"

namespace tenon::runtime {

struct SolverSettings {
  std::string name = "auto";
  std::vector<std::string> options;  ///< "NAME=VALUE"
  std::string accuracy = "exact";    ///< "exact" or "fast"
  /// `name` may be another solver than that of the command line, as in a session whose solver was changed or
  /// in a record of one: fast is then allowed with any solver, and applies where auto is selected again.
  bool changeable = false;

  physics::SolverName solver() const { return physics::solverFromText(name).value(); }
  /// All that a record needs to repeat the run, as "NAME=VALUE": `options`, and accuracy=fast where chosen.
  std::vector<std::string> recordedOptions() const;
};

/// Adds --solver, --accuracy and --solver-option to `command`; `settings` must outlive it.
void addSolverSettings(CLI::App& command, SolverSettings& settings);

/// `seed`: for baraff's random policy. Throws content::InputError for an unknown option, an option given
/// twice, an invalid value, or an option of a solver that is not used.
physics::SolverOptions solverOptions(const SolverSettings& settings, std::uint64_t seed);

}  // namespace tenon::runtime
