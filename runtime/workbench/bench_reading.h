// Reads the text of a scene under construction: what can be shown of it, and why the reader rejects it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/live_view/scene_view.h"

namespace tenon::runtime {

struct BenchReading {
  std::int64_t revision = 0;                    ///< of the document
  std::shared_ptr<const content::Scene> scene;  ///< null: an entry is wrong
  std::unique_ptr<SceneView> view;              ///< of `scene`
  std::string problem;                          ///< the reader's line; "": the scene can run
};

/// Reads `text`. Parts that overlap and joints that contradict each other are a problem, but can be shown.
/// `settings`: as of --set. Mesh files are relative to the folder of `file`. `meshes`: as
/// content::MeshReadOptions::kept.
BenchReading readBench(const std::string& text, const std::string& file,
                       const std::vector<std::string>& settings, std::int64_t revision,
                       std::shared_ptr<void>* meshes = nullptr);

/// The text of an empty bench: a floor, steel with its friction, and the title "Untitled".
std::string emptyBench();

}  // namespace tenon::runtime
