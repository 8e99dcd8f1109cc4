// Arguments of runs and simulations, converted to the settings of the command line.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "content/input/input_error.h"
#include "runtime/session/solver_settings.h"

namespace tenon::python {

/// Solver, accuracy, and solver options by name.
using SolverArguments = std::tuple<std::string, std::string, std::map<std::string, std::string>>;

inline runtime::SolverSettings settingsOf(const SolverArguments& arguments) {
  runtime::SolverSettings settings;
  settings.name = std::get<0>(arguments);
  settings.accuracy = std::get<1>(arguments);
  for (const auto& [name, value] : std::get<2>(arguments)) settings.options.push_back(name + "=" + value);
  return settings;
}

/// `value`, or 0 where it is not given. Throws content::InputError unless it is positive and finite.
inline double givenOr(const std::optional<double>& value, const char* option) {
  if (!value) return 0;
  if (*value > 0 && std::isfinite(*value)) return *value;
  throw content::InputError(option, std::to_string(*value), "is not a number above 0",
                            "give a positive number, or None for the scene's");
}

}  // namespace tenon::python
