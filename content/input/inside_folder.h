// Files that a file names must lie in its own folder.
#pragma once

#include <filesystem>
#include <string>

namespace tenon::content {

/// Whether `path`, links and ".." followed, lies in `folder` or below. A path that does not exist is judged
/// by what of it does.
inline bool isInsideFolder(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code error;
  // Absolute first: weakly_canonical() leaves a relative path that does not exist as it is.
  const auto resolved = [&](const std::filesystem::path& any) {
    const auto absolute = std::filesystem::absolute(any, error);
    return error ? absolute : std::filesystem::weakly_canonical(absolute, error);
  };
  const auto base = resolved(folder.empty() ? "." : folder);
  if (error) return false;
  const auto full = resolved(path);
  if (error) return false;
  const auto relative = full.lexically_relative(base);
  return !relative.empty() && *relative.begin() != ".." && !relative.is_absolute();
}

}  // namespace tenon::content
