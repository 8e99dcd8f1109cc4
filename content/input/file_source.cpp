// See file_source.h.
#include "content/input/file_source.h"

#include <filesystem>

#include "content/input/input_error.h"
#include "content/input/inside_folder.h"

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

FileStatus DiskFileSource::find(const std::string& path, const std::string& folder) {
  if (!isInsideFolder(path, folder)) return FileStatus::outsideFolder;
  std::error_code error;
  return fs::is_regular_file(path, error) ? FileStatus::found : FileStatus::missing;
}

std::string DiskFileSource::read(const std::string& path, const TextFileKind& kind) {
  return readTextFile(path, kind);
}

std::string RecordingFileSource::read(const std::string& path, const TextFileKind& kind) {
  const std::string name = fromScene(path, sceneFile_);
  const auto known = recorded_.find(name);
  if (known != recorded_.end()) return known->second;
  return recorded_.emplace(name, DiskFileSource::read(path, kind)).first->second;
}

FileStatus StoredFileSource::find(const std::string& path, const std::string&) {
  return files_->contains(fromScene(path, sceneFile_)) ? FileStatus::found : FileStatus::missing;
}

std::string StoredFileSource::read(const std::string& path, const TextFileKind& kind) {
  const auto kept = files_->find(fromScene(path, sceneFile_));
  if (kept == files_->end())
    throw InputError(path, "", "is not among the files that were kept", "take another copy of them");
  if (kept->second.size() > kind.maxBytes)
    throw InputError(path, "", "is larger than can be read", kind.remedyIfTooLarge);
  return kept->second;
}

}  // namespace tenon::content
