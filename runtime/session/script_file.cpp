// See script_file.h.
#include "runtime/session/script_file.h"

#include <nlohmann/json.hpp>

#include "content/input/limits.h"
#include "content/input/parse_json.h"
#include "content/input/text_file.h"
#include "content/reader/load_scene.h"

namespace tenon::runtime {

nlohmann::ordered_json handsOfScript(const std::string& file) {
  const std::string text = content::readTextFile(
      file, {"script", content::kMaxFileBytes, "give a JSON file with \"hands\" as a scene file has them"});
  const nlohmann::ordered_json script = content::parseOrderedJson(text, file);
  if (!script.is_object() || !script.contains("hands") || !script["hands"].is_array())
    throw content::InputError(file, "/hands", "is missing",
                              "give --script a JSON file with \"hands\" as a scene file has them");
  return script["hands"];
}

std::string withScript(const std::string& sceneText, const std::string& sceneFile,
                       const std::string& scriptFile) {
  nlohmann::ordered_json scene = content::parseOrderedJson(sceneText, sceneFile);
  if (!scene.is_object()) return sceneText;  // reading it reports the error
  scene["hands"] = handsOfScript(scriptFile);
  return scene.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tenon::runtime
