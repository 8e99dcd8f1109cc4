// Files relative to the running program: see program_files.h.
#include "content/input/program_files.h"

namespace tenon::content {

std::filesystem::path findProgramFile(const std::filesystem::path& name) {
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& prefix : {folder, folder.parent_path()})
    if (std::filesystem::exists(prefix / name, error)) return prefix / name;
  return {};
}

}  // namespace tenon::content
