// See find_scene.h.
#include "content/reader/find_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "content/input/program_files.h"
#include "content/input/wording.h"

namespace tenon::content {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostScenes = 10000;  ///< searched in one folder

/// The most similar scene of `folder`; empty if none is similar.
fs::path closestScene(const std::string& stem, const fs::path& folder) {
  std::map<std::string, fs::path> scenes;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end;
       !error && entry != end && scenes.size() < kMostScenes; entry.increment(error))
    if (entry->path().extension() == ".json") scenes.emplace(entry->path().stem().string(), entry->path());
  std::vector<std::string> names;
  for (const auto& [name, path] : scenes) names.push_back(name);
  const std::string closest = closestName(stem, names);
  return closest.empty() ? fs::path() : scenes.at(closest);
}

}  // namespace

fs::path shippedSceneFolder() {
  std::error_code none;
  for (fs::path from = fs::current_path(none); !from.empty(); from = from.parent_path()) {
    const fs::path scenes = from / "content" / "scenes";
    if (fs::is_directory(scenes, none)) return scenes;
    if (from == from.root_path()) break;
  }
  return findProgramFile("share/tenon/scenes");
}

std::string missingSceneRemedy(const std::string& file) {
  const fs::path path(file);
  const std::string stem = path.stem().string();
  std::error_code none;
  if (!stem.empty()) {
    const fs::path near = closestScene(stem, path.has_parent_path() ? path.parent_path() : fs::path("."));
    if (!near.empty()) return fmt::format("did you mean {}?", inQuotes(near.lexically_normal().string()));
    const fs::path shipped = closestScene(stem, shippedSceneFolder());
    if (!shipped.empty())
      return fmt::format("did you mean {}?", inQuotes(fs::proximate(shipped, none).string()));
  }
  return "check the path, or make a scene: tenon new FILE";
}

}  // namespace tenon::content
