// tenon parts import-assembly: converts a STEP assembly into a scene.
#pragma once

#include <string>

#include "content/input/file_source.h"
#include "runtime/session/command_line.h"

namespace tenon::runtime {

/// The text of a scene `out`, in the folder of the STEP file or above it: the parts of the assembly in their
/// places, all but the heaviest able to move. Overlapping parts are joined, shafts drawn at the size of their
/// bores get the fit H7/g6; products that cannot be used are left out, each with a line on stderr.
/// `outOption`: that named `out`, for messages. Throws content::InputError and content::MissingComponent.
std::string looseAssembly(const std::string& file, const std::string& out, const std::string& outOption,
                          content::FileSource& files);

/// Adds the subcommand to `parts`, as the functions in command.h do to the program.
void addImportAssembly(CLI::App& parts, int& exitCode);

}  // namespace tenon::runtime
