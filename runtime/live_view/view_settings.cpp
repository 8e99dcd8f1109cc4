// Reads the settings as JSON and validates each field, so a damaged file only resets its settings.
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
constexpr std::size_t kMaxRecent = 7;
constexpr std::uintmax_t kMaxSettingsBytes = 1 << 16;  ///< a hundred times the normal file size

void readFlag(const Json& from, const char* name, bool& to) {
  if (const auto at = from.find(name); at != from.end() && at->is_boolean()) to = *at;
}

bool isCoordinate(const Json& value, int minimum) {
  return value.is_number_integer() && value >= minimum && value <= kMaxPixels;
}

void readWindow(const Json& window, xr::WindowGeometry& place) {
  if (!window.is_object()) return;
  const auto of = [&](const char* name) { return window.value(name, Json()); };
  if (isCoordinate(of("width"), 1) && isCoordinate(of("height"), 1)) {
    place.width = of("width");
    place.height = of("height");
  }
  if (isCoordinate(of("x"), -kMaxPixels) && isCoordinate(of("y"), -kMaxPixels)) {
    place.x = of("x").get<int>();
    place.y = of("y").get<int>();
  }
  readFlag(window, "maximised", place.maximized);
}

}  // namespace

void ViewSettings::noteRecent(const std::string& file) {
  std::error_code none;
  const std::string absolute = fs::weakly_canonical(fs::absolute(file, none), none).string();
  if (absolute.empty() || !fs::is_regular_file(absolute, none)) return;
  std::erase(recent, absolute);
  recent.insert(recent.begin(), absolute);
  if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

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
  readWindow(json.value("window", Json()), settings.window);
  readFlag(json, "panels", settings.panels);
  readFlag(json, "forces", settings.forces);
  readFlag(json, "contacts", settings.contacts);
  readFlag(json, "targets", settings.targets);
  readFlag(json, "names", settings.names);
  readFlag(json, "left_hand", settings.leftHand);
  readFlag(json, "orthographic", settings.orthographic);
  const Json recent = json.value("recent", Json());
  for (const Json& file : recent.is_array() ? recent : Json::array())
    if (file.is_string() && settings.recent.size() < kMaxRecent) settings.recent.push_back(file);
  return settings;
}

ViewSettings readSettings(const std::string& file, std::string& problem) {
  std::error_code ignored;
  if (file.empty() || !fs::exists(file, ignored)) return {};
  // Not a pipe or device, which would never end.
  std::string text;
  if (fs::is_regular_file(file, ignored) && fs::file_size(file, ignored) <= kMaxSettingsBytes) {
    std::ifstream in(file);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  if (const auto settings = settingsFrom(text)) return *settings;
  problem = fmt::format("{} is not a valid settings file; using default settings", file);
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
               {"left_hand", settings.leftHand},
               {"orthographic", settings.orthographic},
               {"recent", settings.recent}};
  if (settings.window.x && settings.window.y) {
    json["window"]["x"] = *settings.window.x;
    json["window"]["y"] = *settings.window.y;
  }
  std::error_code error;
  fs::create_directories(fs::path(file).parent_path(), error);
  try {
    AtomicFile(file).commit(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return true;
  } catch (const content::InputError&) {
    return false;
  }
}

}  // namespace tenon::runtime
