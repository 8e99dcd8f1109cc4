// From a scene file to a checked Scene. The only place where a file's mistakes are found.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "content/input/input_error.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Values for a scene's parameters, by name.
using ParameterValues = std::map<std::string, double>;

class FileSource;  // scene/file_source.h

/// How mesh files of a scene are read.
struct MeshReadOptions {
  FileSource* files = nullptr;  ///< where they come from; none: the disk
  /// Where what was recognised in meshes is kept between runs; empty: nowhere.
  std::string cacheFolder;
  /// Told what is being done, once in a while: large meshes take seconds.
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// The whole of a scene file, for parseScene(). Throws InputError where it is missing, cannot be read or is
/// larger than any scene.
std::string readSceneText(const std::string& file);

/// Reads and checks a scene file (format: content/schema/scene.schema.json). Throws InputError.
Scene loadScene(const std::string& file, const ParameterValues& values = {},
                const MeshReadOptions& meshes = {});

/// The same for text already in memory; `file` names it in messages, and its folder is that of mesh files.
Scene parseScene(const std::string& text, const std::string& file, const ParameterValues& values = {},
                 const MeshReadOptions& meshes = {});

}  // namespace tenon::content
