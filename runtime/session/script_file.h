// The file of --script: hands with their scripts, in place of a scene's.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tenon::runtime {

/// The "hands" of a JSON file, as a scene file has them. Throws content::InputError if it has none.
nlohmann::ordered_json handsOfScript(const std::string& file);

/// The text of a scene with these hands in place of its own.
std::string withScript(const std::string& sceneText, const std::string& sceneFile,
                       const std::string& scriptFile);

}  // namespace tenon::runtime
