// Completion of commands, options and their values by shells.
#pragma once

#include <string>

#include "runtime/manual/command_description.h"

namespace tenon::runtime {

/// Scripts to be sourced or installed in the shell's completion folder. Anything that is neither a command,
/// an option nor one of a fixed set of values is completed as a file name.
std::string bashCompletion(const CommandDescription& program);
std::string zshCompletion(const CommandDescription& program);
std::string fishCompletion(const CommandDescription& program);

}  // namespace tenon::runtime
