// Mesh and STEP files that have been read for one scene.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "content/input/json_cursor.h"
#include "content/reader/read_mesh.h"
#include "content/step/read_step.h"
#include "content/step/step_model.h"

namespace tenon::content {

/// Results by path, so that each file is read once per scene.
struct MeshCache {
  /// By path, import options, size and time of the file.
  std::map<std::string, std::shared_ptr<const MeshShape>> meshes;
  std::map<std::string, std::shared_ptr<const StepModel>> stepModels;
  StepLimits stepLimits;  ///< of the STEP reader
};

/// The cache of earlier readings for the next one. Only what the name of its file and its time identify: glTF
/// files may have other files beside them, and STEP models are large.
inline std::shared_ptr<void> keptMeshes(std::shared_ptr<void>& kept) {
  constexpr std::size_t kMaxKept = 200;
  if (!kept) kept = std::make_shared<MeshCache>();
  auto& cache = *static_cast<MeshCache*>(kept.get());
  if (cache.meshes.size() > kMaxKept) cache.meshes.clear();
  std::erase_if(cache.meshes,
                [](const auto& entry) { return entry.first.find(".gltf\n") != std::string::npos; });
  cache.stepModels.clear();
  return kept;
}

/// The cache of the scene that is read; creates it on the first call.
inline MeshCache& meshCacheOf(ReadContext& context) {
  if (!context.readerCache) context.readerCache = std::make_shared<MeshCache>();
  return *static_cast<MeshCache*>(context.readerCache.get());
}

}  // namespace tenon::content
