// What a person has set in the window, kept from one session to the next.
#pragma once

#include <optional>
#include <string>

#include "xr/display/window.h"

namespace tenon::runtime {

struct ViewSettings {
  xr::WindowGeometry window;
  bool panels = true;
  bool forces = true, contacts = false, targets = true, names = true;
  bool leftHand = false;
};

/// $XDG_CONFIG_HOME/tenon/preview.json, or ~/.config's; empty where there is no home.
std::string settingsFile();

/// Of the text of such a file; none where it is no JSON object. Each value is checked on its own: one that is
/// missing, of another kind or out of range is as at first.
std::optional<ViewSettings> settingsFrom(const std::string& text);

/// Of that file. What is not there, or is not what it should be, is as at first; `problem` then says so in
/// one line, or stays as it is.
ViewSettings readSettings(const std::string& file, std::string& problem);

/// True where it is on the disk now; makes the folder.
bool writeSettings(const std::string& file, const ViewSettings& settings);

}  // namespace tenon::runtime
