// Parses --solver, --accuracy and --solver-option.
#include "runtime/session/solver_settings.h"

#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "content/input/wording.h"
#include "content/reader/load_scene.h"
#include "runtime/session/usage.h"

namespace tenon::runtime {

namespace {

using physics::Accuracy;
using physics::ExtraAcceleration;
using physics::FallbackSolver;
using physics::NextContact;
using physics::SolverName;
using physics::SolverOptions;

template <class Value>
using Choice = std::pair<std::string_view, Value>;

constexpr std::array kPolicies{
    Choice<NextContact>{"hybrid", NextContact::hybrid},
    Choice<NextContact>{"min-accel", NextContact::minAccel},
    Choice<NextContact>{"random", NextContact::random},
    Choice<NextContact>{"pre-ordered", NextContact::preOrdered},
};
constexpr std::array kExtra{
    Choice<ExtraAcceleration>{"none", ExtraAcceleration::none},
    Choice<ExtraAcceleration>{"velocity", ExtraAcceleration::velocity},
    Choice<ExtraAcceleration>{"velocity-and-distance", ExtraAcceleration::velocityAndDistance},
    Choice<ExtraAcceleration>{"velocity-joints", ExtraAcceleration::velocityJoints},
    Choice<ExtraAcceleration>{"velocity-and-distance-joints", ExtraAcceleration::velocityAndDistanceJoints},
};
constexpr std::array kAccuracies{
    Choice<Accuracy>{"exact", Accuracy::exact},
    Choice<Accuracy>{"fast", Accuracy::fast},
};
constexpr std::array kFallbackSolvers{
    Choice<FallbackSolver>{"auto", FallbackSolver::automatic},
    Choice<FallbackSolver>{"gauss-seidel", FallbackSolver::gaussSeidel},
};

/// Suggests the most similar name and lists all names.
std::string remedyFor(std::string_view wrong, const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return didYouMean(wrong, names) + "give one of " + all;
}

template <class Choices>
auto choiceOf(const Choices& choices, std::string_view name, std::string_view text) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) {
    if (word == text) return value;
    words.emplace_back(word);
  }
  throw content::InputError("--solver-option", std::string(name), "cannot be " + content::inQuotes(text),
                            remedyFor(text, words));
}

double numberIn(std::string_view name, std::string_view text, double minimum, double maximum) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= minimum && value <= maximum)
    return value;
  throw content::InputError("--solver-option", std::string(name), fmt::format("cannot be \"{}\"", text),
                            fmt::format("give a number from {:g} to {:g}", minimum, maximum));
}

int countIn(std::string_view name, std::string_view text, int minimum, int maximum) {
  const double value = numberIn(name, text, minimum, maximum);
  if (value == std::floor(value)) return static_cast<int>(value);
  throw content::InputError("--solver-option", std::string(name), fmt::format("cannot be \"{}\"", text),
                            fmt::format("give a whole number from {} to {}", minimum, maximum));
}

/// "2,0,1": rows from 0.
std::vector<int> orderIn(std::string_view name, std::string_view text) {
  constexpr int kMaxRow = 1000000;
  std::vector<int> order;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    order.push_back(countIn(name, text.substr(0, comma), 0, kMaxRow));
    if (comma == text.size()) return order;
    text.remove_prefix(comma + 1);
  }
}

struct Option {
  std::string_view name;
  SolverName of;  ///< the solver that has the option; automatic: all solvers
  void (*set)(std::string_view name, std::string_view value, SolverOptions& options);
};

constexpr std::array kOptions{
    Option{
        "next-contact", SolverName::baraff,
        [](auto name, auto value, SolverOptions& o) { o.baraff.policy = choiceOf(kPolicies, name, value); }},
    Option{"contact-order", SolverName::baraff,
           [](auto name, auto value, SolverOptions& o) {
             o.baraff.policy = NextContact::preOrdered;
             o.baraff.order = orderIn(name, value);
           }},
    Option{
        "extra-acceleration", SolverName::baraff,
        [](auto name, auto value, SolverOptions& o) { o.extraAcceleration = choiceOf(kExtra, name, value); }},
    Option{"sweeps", SolverName::gaussSeidel,
           [](auto name, auto value, SolverOptions& o) {
             o.gaussSeidel.sweeps = countIn(name, value, 1, 4000);
           }},
    Option{
        "change", SolverName::gaussSeidel,
        [](auto name, auto value, SolverOptions& o) { o.gaussSeidel.change = numberIn(name, value, 0, 1); }},
    Option{"time-us", SolverName::gaussSeidel,
           [](auto name, auto value, SolverOptions& o) {
             o.gaussSeidel.time_us = numberIn(name, value, 0, 1e9);
           }},
    Option{"fail-safe", SolverName::automatic,
           [](auto name, auto value, SolverOptions& o) {
             o.fallbackSolver = choiceOf(kFallbackSolvers, name, value);
           }},
    Option{"accuracy", SolverName::automatic,
           [](auto name, auto value, SolverOptions& o) { o.accuracy = choiceOf(kAccuracies, name, value); }},
};

/// Sets the option and returns the solver that has it.
SolverName apply(const std::string& name, std::string_view value, SolverOptions& options) {
  std::vector<std::string> names;
  for (const Option& option : kOptions) {
    if (option.name == name) {
      option.set(name, value, options);
      return option.of;
    }
    names.emplace_back(option.name);
  }
  throw content::InputError("--solver-option", name, "is not a solver option", remedyFor(name, names));
}

/// True if the solver may be used in a run with these settings.
bool mayBeUsed(SolverName solver, SolverName chosen, const SolverOptions& options) {
  return solver == SolverName::automatic || solver == chosen ||
         (solver == SolverName::gaussSeidel && options.fallbackSolver == FallbackSolver::gaussSeidel);
}

}  // namespace

std::vector<std::string> SolverSettings::recordedOptions() const {
  std::vector<std::string> all = options;
  if (accuracy != toText(Accuracy::exact)) all.push_back("accuracy=" + accuracy);
  return all;
}

void addSolverSettings(CLI::App& command, SolverSettings& settings) {
  std::vector<std::string> solvers;
  for (const auto& [name, text] : physics::kSolverNames) solvers.emplace_back(text);
  command.add_option("--solver", settings.name, "Contact solver")
      ->type_name("NAME")
      ->check(oneOf(solvers))
      ->capture_default_str();
  command
      .add_option("--accuracy", settings.accuracy,
                  "exact: no overlap above 1 nm, for any number of parts; fast: parts in contact with each "
                  "other are solved by Gauss-Seidel sweeps to 0.8 µm, for piles in real time (--solver auto)")
      ->type_name("NAME")
      ->check(oneOf({"exact", "fast"}))
      ->capture_default_str();
  command
      .add_option(
          "--solver-option", settings.options,
          "Set a solver option: fail-safe=auto|gauss-seidel (fallback solver); gauss-seidel: sweeps=N, "
          "change=X (relative to the largest force), time-us=X (results then depend on the machine); "
          "baraff: next-contact=hybrid|min-accel|random|pre-ordered, contact-order=N,N,… (rows from 0, "
          "pre-ordered), "
          "extra-acceleration=none|velocity|velocity-and-distance|velocity-joints|"
          "velocity-and-distance-joints")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

physics::SolverOptions solverOptions(const SolverSettings& settings, std::uint64_t seed) {
  physics::SolverOptions options;
  options.baraff.seed = seed;
  std::map<std::string, SolverName> given;
  for (const std::string& setting : settings.recordedOptions()) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw content::InputError("--solver-option", setting, "is not a name and a value",
                                "write it as NAME=VALUE, such as sweeps=10");
    const std::string name = setting.substr(0, equals);
    const SolverName of = apply(name, std::string_view(setting).substr(equals + 1), options);
    if (!given.emplace(name, of).second)
      throw content::InputError("--solver-option", name, "is given twice", "give each option one value");
  }
  if (options.accuracy == Accuracy::fast && !settings.changeable &&
      settings.solver() != SolverName::automatic)
    throw content::InputError("--accuracy", "fast", "is not available with --solver " + settings.name,
                              "use --solver auto, or --accuracy exact");
  for (const auto& [name, of] : given) {
    if (mayBeUsed(of, settings.solver(), options)) continue;
    const std::string_view other = of == SolverName::gaussSeidel ? ", add fail-safe=gauss-seidel," : "";
    throw content::InputError("--solver-option", name,
                              fmt::format("is an option of {}, which is not used with --solver {}",
                                          physics::toText(of), settings.name),
                              fmt::format("use --solver {}{} or remove it", physics::toText(of), other));
  }
  return options;
}

}  // namespace tenon::runtime
