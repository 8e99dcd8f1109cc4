// The option --rate of commands that simulate.
#pragma once

#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// Adds --rate [Hz], within the limits of a scene's "rate_hz".
void addRate(CLI::App& command, double& rate);

}  // namespace tenon::runtime
