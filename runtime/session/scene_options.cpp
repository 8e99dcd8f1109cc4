// Parses --set options; whether they match the scene is checked when the scene is parsed.
#include "runtime/session/scene_options.h"

#include <fmt/format.h>
#include <CLI/App.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "content/input/printable.h"
#include "content/recognize/recognized_cache.h"
#include "runtime/session/terminal.h"

namespace tenon::runtime {

namespace {

/// `text` as a finite number; std::nullopt unless all of it is one.
std::optional<double> finiteNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

void addSceneOptions(CLI::App& command, SceneOptions& options) {
  command.add_option("SCENE", options.file, "Scene file (JSON)")->type_name("")->required();
  command.add_option("--set", options.settings, "Set a parameter of the scene")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::string readSceneText(const SceneOptions& options) {
  if (options.file.empty()) throw content::InputError("SCENE", "", "is empty", "name a scene file");
  return content::readSceneText(options.file);
}

content::Scene parseScene(const SceneOptions& options, const std::string& text, content::FileSource& files,
                          content::SceneChecks checks, std::shared_ptr<void>* keptMeshes) {
  content::ParameterValues values;
  for (const std::string& setting : options.settings) {
    const auto equals = setting.find('=');
    const auto value = equals == std::string::npos || equals == 0
                           ? std::nullopt
                           : finiteNumber(std::string_view(setting).substr(equals + 1));
    if (!value)
      throw content::InputError("--set", setting, "is not a name and a finite number",
                                "write it as NAME=VALUE, such as clearance_um=20");
    const std::string name = setting.substr(0, equals);
    if (!values.emplace(name, *value).second)
      throw content::InputError("--set", name, "is given twice", "give each parameter one value");
  }
  return parseSceneWithProgress(text, options.file, values, files, checks, keptMeshes);
}

content::Scene parseSceneWithProgress(const std::string& text, const std::string& file,
                                      const content::ParameterValues& values, content::FileSource& files,
                                      content::SceneChecks checks, std::shared_ptr<void>* keptMeshes) {
  content::MeshReadOptions meshes;
  meshes.kept = keptMeshes;
  meshes.files = &files;
  meshes.cacheFolder = content::userCacheFolder();
  const bool onTerminal = isTerminal(stderr);
  bool hasLine = false;
  meshes.progress = [&](const std::string& what) {
    if (!onTerminal) return;
    fmt::print(stderr, "\r\x1b[K{}", content::printable(what));
    std::fflush(stderr);
    hasLine = true;
  };
  const auto eraseLine = [&] {
    if (hasLine) fmt::print(stderr, "\r\x1b[K");
  };
  try {
    content::Scene scene = content::parseScene(text, file, values, meshes, checks);
    eraseLine();
    return scene;
  } catch (...) {
    eraseLine();
    throw;
  }
}

CLI::Validator finiteIn(double minimum, double maximum) {
  return CLI::Validator(
      [minimum, maximum](std::string& text) -> std::string {
        const auto value = finiteNumber(text);
        if (value && *value >= minimum && *value <= maximum) return "";
        return fmt::format("{} is not a number from {:g} to {:g}", text, minimum, maximum);
      },
      fmt::format("[{:g} - {:g}]", minimum, maximum));
}

CLI::Validator wholeNumber() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        std::uint64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        return error == std::errc() && stop == end ? "" : text + " is not a whole number from 0 to 2^64 - 1";
      },
      "");
}

}  // namespace tenon::runtime
