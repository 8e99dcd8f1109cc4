// What is on the panel above the wrist: buttons for all that a session can be asked for, and how things
// stand. No headset in it: whoever has a pointer can press.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/live_view/panels.h"
#include "runtime/vr/locomotion.h"

namespace tenon::runtime {

/// A plane that cuts the scene open.
enum class HandSection {
  off,
  inHand,  ///< goes with a free hand
  stays,   ///< where it was left
};

/// What the person has switched.
struct VrSwitches {
  Comfort comfort;
  HandSection section = HandSection::off;
  std::optional<bool> sound;  ///< none: there is no device for it
};

enum class MenuPage { main, scenes, solvers, room };
const char* toText(MenuPage page);

/// What has been asked for since it was taken last.
struct MenuRequests {
  bool playPause = false, reset = false, undo = false, redo = false;
  bool guidance = false;  ///< on, or off
  bool record = false;    ///< begin a recording, or end the one that goes on
  bool recenter = false, quit = false;
  double raise = 0;  ///< of the table [m]
  std::optional<double> scale;
  std::optional<std::string> scene;  ///< file
  std::optional<physics::SolverName> solver;
};

struct VrMenu {
  VrSwitches switches;
  MenuPage page = MenuPage::main;
  std::vector<SceneEntry> scenes;  ///< to choose from
  std::size_t firstScene = 0;      ///< of those that are seen at once
  double scale = 1;                ///< of the room
  std::string notice;              ///< a line for the person
  std::string frames;              ///< how fast pictures come, in words
  std::vector<xr::Caption> captions;
  MenuRequests requests;
};

/// Of the panel [pixels]; the image has room for labels below it.
inline constexpr int kMenuWidth = 1024, kMenuHeight = 768;

/// Draws both halves into ImGui's present picture: the page, and goals with what keeps them from being
/// reached. Controls leave their places in `context.state.marks`.
void drawVrMenu(PanelContext& context, VrMenu& menu);

}  // namespace tenon::runtime
