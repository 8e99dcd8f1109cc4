// Actions of the windows and their keys: one table for the keyboard, the panels and the key list (F1).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "xr/display/window_input.h"

namespace tenon::runtime {

enum class Action {
  playPause,
  step,
  reset,
  undo,
  redo,
  slower,
  faster,
  script,
  otherHand,
  frame,
  viewFront,
  viewRight,
  viewTop,
  viewIso,
  projection,
  forces,
  contacts,
  targets,
  names,
  section,
  seeThrough,
  clearMeasure,
  panels,
  record,
  bookmark,
  note,
  openScene,
  screenshot,
  help,
  requestExit,
  // --- only in a replay
  stepBack,
  toEnd,
  previousEvent,
  nextEvent,
  resimulate,
  // --- only in a preview
  arrange,
  addPart,
  deleteSelected,
  duplicate,
  moveTool,
  turnTool,
  snapTool,
  goalTool,
  gizmoAxes,
  save,
  saveAs,
};

struct ActionKey {
  Action action;
  int key;       ///< as in xr::WindowInput
  bool control;  ///< with Ctrl
  bool repeats;  ///< while the key is held down
  std::string_view name, description;
};

namespace key = xr::key;

/// View keys, the same in every window.
inline constexpr std::array kViewKeys{
    ActionKey{Action::frame, 'F', false, false, "F", "fit all, or the part under the mouse"},
    ActionKey{Action::viewFront, '1', false, false, "1", "front view"},
    ActionKey{Action::viewRight, '3', false, false, "3", "right view"},
    ActionKey{Action::viewTop, '7', false, false, "7", "top view"},
    ActionKey{Action::viewIso, '0', false, false, "0", "isometric view"},
    ActionKey{Action::projection, '5', true, false, "Ctrl+5", "perspective, or orthographic"},
    ActionKey{Action::forces, 'G', false, false, "G", "force arrows [N]"},
    ActionKey{Action::contacts, 'C', false, false, "C", "contact points"},
    ActionKey{Action::targets, 'T', false, false, "T", "target poses of the parts"},
    ActionKey{Action::names, 'N', false, false, "N", "name the part under the mouse"},
    ActionKey{Action::section, 'S', false, false, "S", "section: x, y, z, off"},
    ActionKey{Action::seeThrough, 'X', false, false, "X", "make the part under the mouse transparent"},
    ActionKey{Action::clearMeasure, 'M', false, false, "M", "clear the measurement"},
};

/// A window's own keys with the view keys between them, in the order of the key list.
template <std::size_t First, std::size_t Last>
constexpr auto withViewKeys(const std::array<ActionKey, First>& first,
                            const std::array<ActionKey, Last>& last) {
  std::array<ActionKey, First + kViewKeys.size() + Last> keys{};
  auto at = std::copy(first.begin(), first.end(), keys.begin());
  at = std::copy(kViewKeys.begin(), kViewKeys.end(), at);
  std::copy(last.begin(), last.end(), at);
  return keys;
}

inline constexpr auto kActionKeys = withViewKeys(
    std::array{
        ActionKey{Action::playPause, key::kSpace, false, false, "Space", "pause, play"},
        ActionKey{Action::step, key::kRight, false, true, "→", "single step"},
        ActionKey{Action::reset, key::kBackspace, false, false, "Backspace", "reset to the start"},
        ActionKey{Action::undo, 'Z', true, true, "Ctrl+Z", "undo the last placement"},
        ActionKey{Action::redo, 'Y', true, true, "Ctrl+Y", "redo it"},
        ActionKey{Action::slower, key::kDown, false, false, "↓", "slower, down to 1/10"},
        ActionKey{Action::faster, key::kUp, false, false, "↑", "faster, up to real time"},
        ActionKey{Action::script, 'P', false, false, "P", "play the script from the start; take over"},
        ActionKey{Action::otherHand, 'H', false, false, "H", "switch the mouse to the other hand"},
        ActionKey{Action::arrange, 'E', true, false, "Ctrl+E", "arrange the scene; run it"},
    },
    std::array{
        ActionKey{Action::record, 'R', true, false, "Ctrl+R",
                  "record from the scene's start; stop recording"},
        ActionKey{Action::bookmark, 'B', false, false, "B", "add a bookmark to the record"},
        ActionKey{Action::note, 'W', false, false, "W", "add a note to the record"},
        ActionKey{Action::panels, key::kTab, false, false, "Tab", "show or hide the panels"},
        ActionKey{Action::openScene, 'O', true, false, "Ctrl+O", "open a scene (or drop its file here)"},
        ActionKey{Action::screenshot, key::kF12, false, false, "F12", "save an image"},
        ActionKey{Action::help, key::kF1, false, false, "F1", "show this list"},
        ActionKey{Action::requestExit, key::kEscape, false, false, "Esc", "release; close a dialog; quit"},
    });

struct MouseHelp {
  std::string_view name, description;
};
inline constexpr std::array kMouseHelp{
    MouseHelp{"Left on a part", "pull it at that point"},
    MouseHelp{"  + wheel", "closer, farther"},
    MouseHelp{"  + R, move", "rotate it"},
    MouseHelp{"  + Shift", "fine motion, 1:10"},
    MouseHelp{"Left on background", "orbit"},
    MouseHelp{"Middle, Alt+left", "orbit"},
    MouseHelp{"Shift+middle, right", "pan"},
    MouseHelp{"Wheel", "zoom"},
    MouseHelp{"Ctrl+left, twice", "measure between two features"},
    MouseHelp{"View cube", "click: view from there; drag: orbit"},
    MouseHelp{"Section handle", "drag the plane (S: section)"},
};

/// The action of a key in a table; std::nullopt if it has none.
inline std::optional<Action> actionOf(const xr::WindowInput& input,
                                      std::span<const ActionKey> keys = kActionKeys) {
  for (const ActionKey& known : keys)
    if (known.key == input.key && known.control == input.control && (known.repeats || !input.repeated))
      return known.action;
  return std::nullopt;
}

/// The key of an action, for tooltips; "" if it has none.
constexpr std::string_view keyNameOf(Action action, std::span<const ActionKey> keys = kActionKeys) {
  for (const ActionKey& known : keys)
    if (known.action == action) return known.name;
  return "";
}

}  // namespace tenon::runtime
