// See preview_start.h.
#include "runtime/preview/preview_start.h"

#include <array>
#include <exception>
#include <optional>
#include <utility>

#include "content/model/solver_support.h"
#include "runtime/session/image_size.h"
#include "runtime/session/output_files.h"
#include "runtime/workbench/bench_reading.h"

namespace tenon::runtime {

namespace {

bool plays(const PreviewOptions& options) {
  return options.play || options.script || options.record;
}

/// True if all entries of a scene are right, so that it can be shown, and changed until it can run.
bool canBeArranged(const SceneOptions& scene) {
  try {
    return readBench(readSceneText(scene), scene.file, scene.settings, 0).view != nullptr;
  } catch (const std::exception&) {
    return false;
  }
}

PreviewStart startOf(const PreviewOptions& options) {
  if (std::optional<OpenedScene> running = options.source->runningScene()) return {*std::move(running)};
  const bool mayArrange = !plays(options) && !options.quit && options.source->takesScenes();
  const auto emptyScene = [] { return openSceneText({"untitled.json", {}}, emptyBench()); };
  if (options.scene.file.empty() && !plays(options) && options.source->takesScenes())
    return {emptyScene(), SceneOptions{}};
  try {
    return {openScene(sceneOrFirst(options.scene), options.script, options.play)};
  } catch (const content::InputError&) {
    if (!mayArrange || !canBeArranged(options.scene)) throw;
    return {emptyScene(), options.scene};
  }
}

}  // namespace

PreviewStart openFirst(const PreviewOptions& options) {
  PreviewStart start = startOf(options);
  content::requireSolverSupports(options.solver.solver(), *start.opened.scene);
  InputFiles inputs;
  inputs.add(*start.opened.scene, start.opened.meshFiles);
  if (start.arranged && !start.arranged->file.empty()) inputs.add(start.arranged->file, "is the scene");
  if (options.script) inputs.add(*options.script, "is the script");
  requireWritable(std::array{Output{"--record", options.record, OutputKind::session},
                             Output{"--screenshot", options.screenshot, OutputKind::image},
                             Output{"--trace", options.trace, OutputKind::trace}},
                  inputs, options.force);
  if (options.size) parseImageSize(*options.size);
  return start;
}

}  // namespace tenon::runtime
