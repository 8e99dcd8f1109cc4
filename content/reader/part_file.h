// Reads the parts of one mesh or STEP file without a scene, to report what each of them becomes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "content/reader/read_mesh.h"
#include "content/step/read_step.h"

namespace tenon::content {

/// One part of a file: the only one of a mesh, or a product of a STEP file.
struct FilePart {
  std::string product;                     ///< of a STEP file; else ""
  std::shared_ptr<const MeshShape> shape;  ///< null: the part cannot be used
  std::string problem;                     ///< why it cannot be used, with the remedy, in one line; else ""
  double seconds = 0;  ///< for reading and recognizing it; of a file's first part also for the file
};

struct PartFileOptions {
  std::string unit = "mm";             ///< of files without one: "mm", "cm", "m" or "in"
  std::string cacheFolder;             ///< see MeshReadOptions
  int seconds = StepLimits().seconds;  ///< limit of the STEP reader's CPU time
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  /// Called with the names of the parts before the first one is recognized, then with each part.
  std::function<void(const std::vector<std::string>&)> onNames = [](const std::vector<std::string>&) {};
  std::function<void(const FilePart&)> onPart = [](const FilePart&) {};
};

/// True for the extensions of meshes and of STEP.
bool isPartFile(const std::string& file);

/// The parts of the file, at least one. A problem with a part or the file is in the result. Throws
/// MissingComponent for STEP if the STEP reader is not installed.
std::vector<FilePart> readPartFile(const std::string& file, const PartFileOptions& options);

}  // namespace tenon::content
