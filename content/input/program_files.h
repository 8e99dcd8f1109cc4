// Finds the files that are installed with the program.
#pragma once

#include <filesystem>

namespace tenon::content {

/// Path of `name`, such as "share/tenon/scenes", in the installation of the running program: in the program's
/// own folder (a build folder) or in the one above (PREFIX of PREFIX/bin/tenon). In the Python module: in one
/// of the folders above the module's. Empty if none has it.
std::filesystem::path findProgramFile(const std::filesystem::path& name);

}  // namespace tenon::content
