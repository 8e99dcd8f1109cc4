// Files that a file names must lie in its own folder.
#pragma once

#include <filesystem>
#include <string>

namespace tenon::content {

/// Whether `path`, links and ".." followed, lies in `folder` or below. A path that does not exist is judged
/// by what of it does.
inline bool isInsideFolder(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code error;
  const auto base = std::filesystem::weakly_canonical(folder.empty() ? "." : folder, error);
  if (error) return false;
  const auto full = std::filesystem::weakly_canonical(path, error);
  if (error) return false;
  const auto relative = full.lexically_relative(base);
  return !relative.empty() && *relative.begin() != ".." && !relative.is_absolute();
}

}  // namespace tenon::content
