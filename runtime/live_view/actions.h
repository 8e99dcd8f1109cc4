// What keys and buttons do: one table for the keyboard, the panels and the list of keys (F1).
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
  // --- of a recorded session alone
  stepBack,
  toEnd,
  previousEvent,
  nextEvent,
  resimulate,
};

struct ActionKey {
  Action action;
  int key;       ///< as xr::WindowInput has it
  bool control;  ///< with Ctrl
  bool repeats;  ///< while the key is held down
  std::string_view name, does;
};

namespace key = xr::key;

/// What looks at a scene, in every window.
inline constexpr std::array kViewKeys{
    ActionKey{Action::frame, 'F', false, false, "F", "show all, or the part under the mouse"},
    ActionKey{Action::viewFront, '1', false, false, "1", "look from the front"},
    ActionKey{Action::viewRight, '3', false, false, "3", "look from the right"},
    ActionKey{Action::viewTop, '7', false, false, "7", "look from above"},
    ActionKey{Action::viewIso, '0', false, false, "0", "look from a corner"},
    ActionKey{Action::forces, 'G', false, false, "G", "forces as arrows [N]"},
    ActionKey{Action::contacts, 'C', false, false, "C", "contact points"},
    ActionKey{Action::targets, 'T', false, false, "T", "where parts are to go"},
    ActionKey{Action::names, 'N', false, false, "N", "name of the part under the mouse"},
    ActionKey{Action::section, 'S', false, false, "S", "cut open, next axis, whole again"},
    ActionKey{Action::seeThrough, 'X', false, false, "X", "see through the part under the mouse"},
    ActionKey{Action::clearMeasure, 'M', false, false, "M", "forget what was measured"},
};

/// A window's own keys with those of looking between them, in the order in which they are told.
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
        ActionKey{Action::playPause, key::kSpace, false, false, "Space", "pause, go on"},
        ActionKey{Action::step, key::kRight, false, true, "→", "one step"},
        ActionKey{Action::reset, key::kBackspace, false, false, "Backspace", "back to the start"},
        ActionKey{Action::undo, 'Z', true, true, "Ctrl+Z", "undo the last placement"},
        ActionKey{Action::redo, 'Y', true, true, "Ctrl+Y", "redo it"},
        ActionKey{Action::slower, key::kDown, false, false, "↓", "slower, down to 1/10"},
        ActionKey{Action::faster, key::kUp, false, false, "↑", "faster, up to real time"},
        ActionKey{Action::script, 'P', false, false, "P",
                  "play the script from the start; take over from it"},
        ActionKey{Action::otherHand, 'H', false, false, "H", "the mouse is the other hand"},
    },
    std::array{
        ActionKey{Action::record, 'R', true, false, "Ctrl+R",
                  "record from the scene's start; end the record"},
        ActionKey{Action::bookmark, 'B', false, false, "B", "bookmark: find this moment again in the record"},
        ActionKey{Action::note, 'W', false, false, "W", "write a note about this moment"},
        ActionKey{Action::panels, key::kTab, false, false, "Tab", "panels"},
        ActionKey{Action::openScene, 'O', true, false, "Ctrl+O", "another scene (or drop its file here)"},
        ActionKey{Action::screenshot, key::kF12, false, false, "F12", "save a picture"},
        ActionKey{Action::help, key::kF1, false, false, "F1", "this list"},
        ActionKey{Action::requestExit, key::kEscape, false, false, "Esc", "let go; close a list; leave"},
    });

struct MouseHelp {
  std::string_view name, does;
};
inline constexpr std::array kMouseHelp{
    MouseHelp{"Left on a part", "pull it at the touched point"},
    MouseHelp{"  + wheel", "nearer, further"},
    MouseHelp{"  + R, move", "turn it"},
    MouseHelp{"  + Shift", "fine: a tenth"},
    MouseHelp{"Left beside", "orbit"},
    MouseHelp{"Middle, Alt+left", "orbit"},
    MouseHelp{"Shift+middle, right", "pan"},
    MouseHelp{"Wheel", "zoom"},
    MouseHelp{"Ctrl+left, twice", "distance of two features"},
};

/// What a key does by a table; none: nothing.
inline std::optional<Action> actionOf(const xr::WindowInput& input,
                                      std::span<const ActionKey> keys = kActionKeys) {
  for (const ActionKey& known : keys)
    if (known.key == input.key && known.control == input.control && (known.repeats || !input.repeated))
      return known.action;
  return std::nullopt;
}

/// For tips on buttons.
constexpr std::string_view keyNameOf(Action action, std::span<const ActionKey> keys = kActionKeys) {
  for (const ActionKey& known : keys)
    if (known.action == action) return known.name;
  return "";
}

}  // namespace tenon::runtime
