// Detects formats by their first bytes; OBJ and binary STL have no signature and are detected by file name.
#include "content/input/other_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "content/input/input_error.h"
#include "content/input/wording.h"

namespace tenon::content {
namespace {

std::string lowerCaseExtension(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

[[noreturn]] void rejectMesh(const std::string& file, bool hasUnit) {
  const std::string name = inQuotes(std::filesystem::path(file).filename().string());
  throw InputError(
      file, "", "is a mesh, not a scene",
      fmt::format("write a scene that has a part with \"shape\": {{\"kind\": \"mesh\", \"file\": "
                  "{}{}}}; or see what it becomes: tenon check --each {}",
                  name, hasUnit ? "" : ", \"unit\": \"mm\"", file));
}

}  // namespace

void rejectOtherFormats(const std::string& text, const std::string& file) {
  const std::string_view all = text;
  const std::string ending = lowerCaseExtension(file);
  const auto first = all.find_first_not_of(" \t\r\n");
  const bool isObject = first != all.npos && all[first] == '{';
  if (all.starts_with("glTF") || (isObject && ending == ".gltf")) rejectMesh(file, true);
  if (isObject) return;
  if (all.starts_with("ISO-10303-21"))
    throw InputError(
        file, "", "is a STEP file, not a scene",
        fmt::format("make a scene of it: tenon parts import-assembly {0} --out SCENE.json; or see what it "
                    "becomes: tenon check --each {0}",
                    file));
  if (all.starts_with("SQLite format 3"))
    throw InputError(file, "", "is a recorded session, not a scene", "show it: tenon replay " + file);
  if (all.starts_with("\x89PNG"))
    throw InputError(file, "", "is a picture, not a scene", "name a scene file (JSON)");
  if (all.starts_with("solid ") || ending == ".stl" || ending == ".obj") rejectMesh(file, false);
}

}  // namespace tenon::content
