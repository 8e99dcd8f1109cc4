// Where the files that a scene names come from: the disk, or what was kept of it.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "content/input/text_file.h"

namespace tenon::content {

enum class FileStatus {
  found,
  missing,
  outsideFolder,  ///< not in the folder where it has to be
};

class FileSource {
 public:
  virtual ~FileSource() = default;
  /// Whether `path` is a file, and one in `folder` or below.
  virtual FileStatus find(const std::string& path, const std::string& folder) = 0;
  /// The whole of it. Throws InputError as readTextFile() does.
  virtual std::string read(const std::string& path, const TextFileKind& kind) = 0;
};

/// The disk. Where links lead out of the folder, so does the path.
class DiskFileSource : public FileSource {
 public:
  FileStatus find(const std::string& path, const std::string& folder) override;
  std::string read(const std::string& path, const TextFileKind& kind) override;
};

/// Whole files by their paths as seen from the scene's folder ("parts/peg.obj").
using FileBytes = std::map<std::string, std::string>;

/// The disk, noting what is read. Each file is read once: whoever asks again gets the same bytes.
class RecordingFileSource : public DiskFileSource {
 public:
  explicit RecordingFileSource(std::string sceneFile) : sceneFile_(std::move(sceneFile)) {}
  std::string read(const std::string& path, const TextFileKind& kind) override;
  /// What was read so far; forgets it.
  FileBytes drain() { return std::exchange(recorded_, {}); }

 private:
  std::string sceneFile_;
  FileBytes recorded_;
};

/// What RecordingFileSource noted, in place of the disk, which is not looked at. Borrows `files`.
class StoredFileSource : public FileSource {
 public:
  StoredFileSource(std::string sceneFile, const FileBytes& files)
      : sceneFile_(std::move(sceneFile)), files_(&files) {}
  FileStatus find(const std::string& path, const std::string& folder) override;
  /// Throws InputError also where the file was not kept.
  std::string read(const std::string& path, const TextFileKind& kind) override;

 private:
  std::string sceneFile_;
  const FileBytes* files_;
};

/// The folder of a file; "." where it is named without one.
std::string folderOf(const std::string& file);

}  // namespace tenon::content
