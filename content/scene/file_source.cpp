// See file_source.h.
#include "content/scene/file_source.h"

#include <filesystem>

#include "content/mesh/inside_folder.h"
#include "content/scene/load_scene.h"

namespace tenon::content {
namespace {

namespace fs = std::filesystem;

/// `path` as seen from the scene's folder; by its text alone.
std::string fromScene(const std::string& path, const std::string& sceneFile) {
  const fs::path folder = fs::path(folderOf(sceneFile)).lexically_normal();
  return fs::path(path).lexically_normal().lexically_relative(folder).generic_string();
}

}  // namespace

std::string folderOf(const std::string& file) {
  const fs::path path(file);
  return path.has_parent_path() ? path.parent_path().string() : ".";
}

FilePlace DiskFiles::find(const std::string& path, const std::string& folder) {
  if (!isInsideFolder(path, folder)) return FilePlace::outside;
  std::error_code error;
  return fs::is_regular_file(path, error) ? FilePlace::there : FilePlace::missing;
}

std::string DiskFiles::read(const std::string& path, const TextFileKind& kind) {
  return readTextFile(path, kind);
}

std::string NotedFiles::read(const std::string& path, const TextFileKind& kind) {
  const std::string name = fromScene(path, sceneFile_);
  const auto known = noted_.find(name);
  if (known != noted_.end()) return known->second;
  return noted_.emplace(name, DiskFiles::read(path, kind)).first->second;
}

FilePlace KeptFiles::find(const std::string& path, const std::string&) {
  return files_->contains(fromScene(path, sceneFile_)) ? FilePlace::there : FilePlace::missing;
}

std::string KeptFiles::read(const std::string& path, const TextFileKind& kind) {
  const auto kept = files_->find(fromScene(path, sceneFile_));
  if (kept == files_->end())
    throw InputError(path, "", "is not among the files that were kept", "take another copy of them");
  if (kept->second.size() > kind.maxBytes)
    throw InputError(path, "", "is larger than can be read", kind.whenTooLarge);
  return kept->second;
}

}  // namespace tenon::content
