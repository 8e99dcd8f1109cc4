// From a scene file to a checked Scene. The only place where a file's mistakes are found.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "content/scene/scene.h"

namespace tenon::content {

/// Bad data from outside. The message is one line and names file, place and remedy.
class InputError : public std::runtime_error {
 public:
  /// `place` is a JSON pointer ("/parts/2/mass"), or empty where the whole file is meant.
  InputError(const std::string& file, const std::string& place, const std::string& problem,
             const std::string& remedy);
};

/// Values for a scene's parameters, by name.
using ParameterValues = std::map<std::string, double>;

class FileSource;  // scene/file_source.h

/// How mesh files of a scene are read.
struct MeshReading {
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
Scene loadScene(const std::string& file, const ParameterValues& values = {}, const MeshReading& meshes = {});

/// The same for text already in memory; `file` names it in messages, and its folder is that of mesh files.
Scene parseScene(const std::string& text, const std::string& file, const ParameterValues& values = {},
                 const MeshReading& meshes = {});

}  // namespace tenon::content
