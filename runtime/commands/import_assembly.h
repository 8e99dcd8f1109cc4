// tenon parts import-assembly: a STEP assembly as a scene.
#pragma once

#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// Adds itself to `parts`, as the commands of command.h do to the program.
void addImportAssembly(CLI::App& parts, int& exitCode);

}  // namespace tenon::runtime
