// The option --config: options of a command from a file.
#pragma once

#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// Adds --config to a command; call it after its other options. Options of the command line win. Parsing
/// throws content::InputError for a file that cannot be read, and for a line that names no option of the
/// command.
void addConfigFile(CLI::App& command);

}  // namespace tenon::runtime
