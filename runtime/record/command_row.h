// Conversion between commands and rows of the table command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "physics/step/command.h"
#include "runtime/record/world_change.h"

namespace tenon::runtime {

struct CommandRow {
  /// "grab", "move", "release", "place", "reset", "dynamics" or "thruster"; "return", "solver" or "rate"
  std::string_view kind;
  int hand = -1;  ///< −1: none
  int body = -1;  ///< −1: none
  std::optional<physics::Pose> X{};
  std::optional<std::int64_t> toTick{};         ///< of "return"
  std::string_view solver{};                    ///< of "solver"
  double rate = 0;                              ///< of "rate" [Hz]
  std::optional<physics::Dynamics> dynamics{};  ///< of "dynamics"
  int thruster = -1;                            ///< of "thruster"; −1: none
  double level = 0;                             ///< of "thruster" [-]
};

CommandRow rowOf(const physics::Command& command);
CommandRow rowOf(const WorldChange& change);

/// Empty if the kind is unknown, or a required hand, body or pose is missing.
std::optional<physics::Command> commandOf(const CommandRow& row);
/// Likewise; also empty for a command of a hand.
std::optional<WorldChange> changeOf(const CommandRow& row);

}  // namespace tenon::runtime
