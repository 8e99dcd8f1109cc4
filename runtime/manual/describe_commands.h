// Reads a command line's description from its CLI11 definition, so that no option is listed twice.
#pragma once

#include "runtime/manual/command_description.h"
#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// The program with all its subcommands. Hidden options and commands (an empty group) are left out.
CommandDescription describeCommands(const CLI::App& program);

}  // namespace tenon::runtime
