// JSON, believed field by field: a broken file costs its settings, never the window.
#include "runtime/live_view/view_settings.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "content/input/json_nesting.h"
#include "content/reader/load_scene.h"
#include "runtime/session/atomic_file.h"

namespace tenon::runtime {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kMaxPixels = 16384;
constexpr std::uintmax_t kMostBytes = 1 << 16;  ///< of the file: a hundred times what is written

void take(const Json& from, const char* name, bool& to) {
  if (const auto at = from.find(name); at != from.end() && at->is_boolean()) to = *at;
}

bool isPlace(const Json& value, int least) {
  return value.is_number_integer() && value >= least && value <= kMaxPixels;
}

void takeWindow(const Json& window, xr::WindowGeometry& place) {
  if (!window.is_object()) return;
  const auto of = [&](const char* name) { return window.value(name, Json()); };
  if (isPlace(of("width"), 1) && isPlace(of("height"), 1)) {
    place.width = of("width");
    place.height = of("height");
  }
  if (isPlace(of("x"), -kMaxPixels) && isPlace(of("y"), -kMaxPixels)) {
    place.x = of("x").get<int>();
    place.y = of("y").get<int>();
  }
  take(window, "maximised", place.maximized);
}

}  // namespace

std::string settingsFile() {
  const auto variable = [](const char* name) -> std::string {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string config = variable("XDG_CONFIG_HOME"); !config.empty() && config.front() == '/')
    return config + "/tenon/preview.json";
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.config/tenon/preview.json";
}

std::optional<ViewSettings> settingsFrom(const std::string& text) {
  try {
    content::checkNesting(text, "settings");
  } catch (const content::InputError&) {
    return std::nullopt;
  }
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  ViewSettings settings;
  takeWindow(json.value("window", Json()), settings.window);
  take(json, "panels", settings.panels);
  take(json, "forces", settings.forces);
  take(json, "contacts", settings.contacts);
  take(json, "targets", settings.targets);
  take(json, "names", settings.names);
  take(json, "left_hand", settings.leftHand);
  return settings;
}

ViewSettings readSettings(const std::string& file, std::string& problem) {
  std::error_code none;
  if (file.empty() || !fs::exists(file, none)) return {};
  // Neither a pipe nor a device, which would be read for ever.
  std::string text;
  if (fs::is_regular_file(file, none) && fs::file_size(file, none) <= kMostBytes) {
    std::ifstream in(file);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  if (const auto settings = settingsFrom(text)) return *settings;
  problem = fmt::format("{} is no settings file; the window opens as at first", file);
  return {};
}

bool writeSettings(const std::string& file, const ViewSettings& settings) {
  if (file.empty()) return false;
  Json json = {{"window",
                {{"width", settings.window.width},
                 {"height", settings.window.height},
                 {"maximised", settings.window.maximized}}},
               {"panels", settings.panels},
               {"forces", settings.forces},
               {"contacts", settings.contacts},
               {"targets", settings.targets},
               {"names", settings.names},
               {"left_hand", settings.leftHand}};
  if (settings.window.x && settings.window.y) {
    json["window"]["x"] = *settings.window.x;
    json["window"]["y"] = *settings.window.y;
  }
  std::error_code error;
  fs::create_directories(fs::path(file).parent_path(), error);
  try {
    AtomicFile(file).commit(json.dump(2) + "\n");
    return true;
  } catch (const content::InputError&) {
    return false;
  }
}

}  // namespace tenon::runtime
