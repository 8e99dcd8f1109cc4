// Window settings, stored between sessions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xr/display/window.h"

namespace tenon::runtime {

struct ViewSettings {
  xr::WindowGeometry window;
  bool panels = true;
  bool forces = true, contacts = false, targets = true, names = true;
  bool leftHand = false;
  bool orthographic = false;
  std::vector<std::string> recent;  ///< scene files, absolute, newest first

  /// Puts a scene file in front of `recent`.
  void noteRecent(const std::string& file);
};

/// $XDG_CONFIG_HOME/tenon/preview.json, or ~/.config/tenon/preview.json; "" without a home folder.
std::string settingsFile();

/// Parses the text of a settings file; std::nullopt if it is not a JSON object. Missing, mistyped and
/// out-of-range values get their defaults.
std::optional<ViewSettings> settingsFrom(const std::string& text);

/// Reads the file. Returns defaults if it is missing or invalid; sets `problem` if it is invalid.
ViewSettings readSettings(const std::string& file, std::string& problem);

/// Writes the file and creates its folder. True if successful.
bool writeSettings(const std::string& file, const ViewSettings& settings);

}  // namespace tenon::runtime
