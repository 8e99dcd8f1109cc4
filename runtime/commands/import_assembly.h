// tenon parts import-assembly: converts a STEP assembly into a scene.
#pragma once

#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// Adds the subcommand to `parts`, as the functions in command.h do to the program.
void addImportAssembly(CLI::App& parts, int& exitCode);

}  // namespace tenon::runtime
