// A command as a row of a table: what a record holds, and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "physics/command.h"

namespace tenon::runtime {

struct CommandRow {
  std::string_view kind;  ///< "grab", "move", "release", "place" or "reset"
  int hand = -1;          ///< −1: none
  int body = -1;          ///< −1: none
  std::optional<physics::Pose> X;
};

CommandRow rowOf(const physics::Command& command);

/// Nothing where the kind is unknown, or a hand, a body or a pose is missing that it needs.
std::optional<physics::Command> commandOf(const CommandRow& row);

}  // namespace tenon::runtime
