// See file_source.h.
#include "content/input/file_source.h"

#include <filesystem>

#include "content/input/input_error.h"
#include "content/input/inside_folder.h"

namespace tenon::content {
namespace {

namespace fs = std::filesystem;

/// `path` relative to the scene's folder, without access to the disk.
std::string relativeToScene(const std::string& path, const std::string& sceneFile) {
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
  const std::string name = relativeToScene(path, sceneFile_);
  const auto found = recorded_.find(name);
  if (found != recorded_.end()) return found->second;
  return recorded_.emplace(name, DiskFileSource::read(path, kind)).first->second;
}

FileStatus StoredFileSource::find(const std::string& path, const std::string&) {
  return files_->contains(relativeToScene(path, sceneFile_)) ? FileStatus::found : FileStatus::missing;
}

std::string StoredFileSource::read(const std::string& path, const TextFileKind& kind) {
  const auto found = files_->find(relativeToScene(path, sceneFile_));
  if (found == files_->end())
    throw InputError(path, "", "is not among the recorded files", "use a complete copy of the recording");
  if (found->second.size() > kind.maxBytes)
    throw InputError(path, "", "is larger than can be read", kind.remedyIfTooLarge);
  return found->second;
}

}  // namespace tenon::content
