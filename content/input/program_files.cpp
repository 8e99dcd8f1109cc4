// Files relative to the running program or to the Python module: see program_files.h.
#include "content/input/program_files.h"

#include <dlfcn.h>

#include <vector>

namespace tenon::content {

namespace {

namespace fs = std::filesystem;

/// Levels from the Python module up to PREFIX: PREFIX/lib/python3/dist-packages/tenon, or BUILD/python/tenon.
constexpr int kModuleLevels = 4;

/// The shared library that this code is part of; empty if it is part of the program.
fs::path thisLibrary(const fs::path& program) {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&findProgramFile), &info) == 0 || info.dli_fname == nullptr)
    return {};
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return error || file == program || file.extension() != ".so" ? fs::path() : file;
}

}  // namespace

fs::path findProgramFile(const fs::path& name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  std::vector<fs::path> prefixes;
  if (fs::path folder = thisLibrary(program).parent_path(); !folder.empty()) {
    for (int level = 0; level < kModuleLevels; ++level) prefixes.push_back(folder = folder.parent_path());
  } else {
    prefixes = {program.parent_path(), program.parent_path().parent_path()};
  }
  for (const fs::path& prefix : prefixes)
    if (fs::exists(prefix / name, error)) return prefix / name;
  return {};
}

}  // namespace tenon::content
