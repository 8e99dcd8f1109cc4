// Mesh and STEP files that have been read for one scene.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "content/input/json_cursor.h"
#include "content/reader/read_mesh.h"
#include "content/step/step_model.h"

namespace tenon::content {

/// Results by path, so that each file is read once per scene.
struct MeshCache {
  std::map<std::string, std::shared_ptr<const MeshShape>> meshes;  ///< by path and import options
  std::map<std::string, std::shared_ptr<const StepModel>> stepModels;
};

/// The cache of the scene that is read; creates it on the first call.
inline MeshCache& meshCacheOf(ReadContext& context) {
  if (!context.readerCache) context.readerCache = std::make_shared<MeshCache>();
  return *static_cast<MeshCache*>(context.readerCache.get());
}

}  // namespace tenon::content
