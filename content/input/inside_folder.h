// Containment check for files that another file refers to.
#pragma once

#include <filesystem>
#include <string>

namespace tenon::content {

/// True if `path` lies in `folder` or below, after links and ".." are resolved. Of a path that does not
/// exist, the existing part is resolved.
inline bool isInsideFolder(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code error;
  // Absolute first: weakly_canonical() returns a relative path that does not exist unchanged.
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
