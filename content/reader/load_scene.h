// Reads a scene file into a checked Scene. All errors of the file are reported here.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "content/input/input_error.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Values for a scene's parameters, by name.
using ParameterValues = std::map<std::string, double>;

class FileSource;  // input/file_source.h

/// Options for the mesh files of a scene.
struct MeshReadOptions {
  FileSource* files = nullptr;  ///< source of the files; null: the disk
  /// Folder that caches recognized meshes between runs; empty: no cache.
  std::string cacheFolder;
  /// Keeps meshes from one reading to the next, by one thread at a time: files that have not changed since
  /// are not read again. Null: each reading reads all files.
  std::shared_ptr<void>* kept = nullptr;
  /// Receives progress messages: large meshes take seconds.
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// How much of a scene is checked.
enum class SceneChecks {
  all,
  entries,  ///< each entry, but not whether parts overlap or joints contradict: a scene under construction
};

/// The text of a scene file, for parseScene(). Throws InputError if the file is missing, not readable, larger
/// than kMaxFileBytes or of another format.
std::string readSceneText(const std::string& file);

/// Reads and checks a scene file (format: content/schema/scene.schema.json). Throws InputError.
Scene loadScene(const std::string& file, const ParameterValues& values = {},
                const MeshReadOptions& meshes = {});

/// The same for text in memory; `file` is its name in messages, and mesh files are relative to its folder.
Scene parseScene(const std::string& text, const std::string& file, const ParameterValues& values = {},
                 const MeshReadOptions& meshes = {}, SceneChecks checks = SceneChecks::all);

}  // namespace tenon::content
