// Sources of the files that a scene refers to: the disk, or a stored copy.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "content/input/text_file.h"

namespace tenon::content {

enum class FileStatus {
  found,
  missing,
  outsideFolder,  ///< not in the required folder or below
};

class FileSource {
 public:
  virtual ~FileSource() = default;
  /// Checks that `path` is a file in `folder` or below.
  virtual FileStatus find(const std::string& path, const std::string& folder) = 0;
  /// Returns the complete file. Throws InputError as readTextFile() does.
  virtual std::string read(const std::string& path, const TextFileKind& kind) = 0;
};

/// Reads from the disk. Symbolic links are resolved before a path is compared with the folder.
class DiskFileSource : public FileSource {
 public:
  FileStatus find(const std::string& path, const std::string& folder) override;
  std::string read(const std::string& path, const TextFileKind& kind) override;
};

/// Complete files by their paths relative to the scene's folder ("parts/peg.obj").
using FileBytes = std::map<std::string, std::string>;

/// Reads from the disk and records every file. A second read of a file returns the recorded bytes.
class RecordingFileSource : public DiskFileSource {
 public:
  explicit RecordingFileSource(std::string sceneFile) : sceneFile_(std::move(sceneFile)) {}
  std::string read(const std::string& path, const TextFileKind& kind) override;
  /// Returns the files recorded so far and clears the record.
  FileBytes drain() { return std::exchange(recorded_, {}); }

 private:
  std::string sceneFile_;
  FileBytes recorded_;
};

/// Serves files that a RecordingFileSource recorded; never reads the disk. Borrows `files`.
class StoredFileSource : public FileSource {
 public:
  StoredFileSource(std::string sceneFile, const FileBytes& files)
      : sceneFile_(std::move(sceneFile)), files_(&files) {}
  FileStatus find(const std::string& path, const std::string& folder) override;
  /// Throws InputError also if the file was not recorded.
  std::string read(const std::string& path, const TextFileKind& kind) override;

 private:
  std::string sceneFile_;
  const FileBytes* files_;
};

/// The folder of a file; "." if the path has none.
std::string folderOf(const std::string& file);

}  // namespace tenon::content
