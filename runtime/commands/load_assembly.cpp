// See load_assembly.h.
#include "runtime/commands/load_assembly.h"

#include <filesystem>
#include <utility>

#include "content/input/wording.h"
#include "content/step/read_step.h"
#include "runtime/commands/import_assembly.h"

namespace tenon::runtime {

LoadedScene loadAssembly(const SceneOptions& options, const std::optional<std::string>& sceneOut) {
  const std::string& file = options.file;
  if (!content::isStepFile(file)) {
    if (sceneOut)
      throw content::InputError("--scene-out", content::inQuotes(*sceneOut), "is for STEP assemblies only",
                                "leave it out: the scene is " + content::inQuotes(file));
    return loadScene(options);
  }
  const std::string out = sceneOut.value_or(std::filesystem::path(file).replace_extension(".json").string());
  LoadedScene loaded;
  content::RecordingFileSource files(out);
  loaded.text = looseAssembly(file, out, "--scene-out", files);
  content::Scene scene = parseScene({out, options.settings}, loaded.text, files);
  if (!sceneOut) scene.file = file;  // for messages: the scene is not written
  loaded.scene = std::make_shared<const content::Scene>(std::move(scene));
  loaded.meshFiles = files.drain();
  return loaded;
}

}  // namespace tenon::runtime
