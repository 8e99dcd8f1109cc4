// The wrist menu: buttons for all session functions, and the state of the session. Independent of the
// headset.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/live_view/panels.h"
#include "runtime/vr/locomotion.h"

namespace tenon::runtime {

/// The section plane.
enum class HandSection {
  off,
  inHand,  ///< follows a free hand
  fixed,   ///< keeps its last pose
};

/// Settings changed in the menu.
struct VrSwitches {
  Comfort comfort;
  HandSection section = HandSection::off;
  std::optional<bool> sound;  ///< std::nullopt: no sound device
  bool controls = true;       ///< the card with the controls
  bool forceValues = false;   ///< labels of forces and hands
};

enum class MenuPage { main, scenes, solvers, room };
const char* toText(MenuPage page);

/// Requests since the last frame.
struct MenuRequests {
  bool playPause = false, reset = false, undo = false, redo = false;
  bool guidance = false;  ///< toggle
  bool record = false;    ///< start or stop recording
  bool recenter = false, quit = false;
  bool table = false;  ///< put the scene on the user's table
  double raise = 0;    ///< of the table [m]
  std::optional<double> scale;
  std::optional<std::string> scene;  ///< file
  std::optional<physics::SolverName> solver;
};

struct VrMenu {
  VrSwitches switches;
  MenuPage page = MenuPage::main;
  std::vector<SceneEntry> scenes;  ///< to choose from
  std::size_t firstScene = 0;      ///< first scene of the current page
  double scale = 1;                ///< display scale of the room
  bool offersScale = false;        ///< a clearance is below a pixel: see scale_advice.h
  std::string notice;              ///< one-line message
  std::string table;               ///< see RealTable::text()
  std::string frames;              ///< frame rate as text
  std::vector<xr::Caption> captions;
  MenuRequests requests;
};

/// Size of the menu [pixels]; labels are drawn below it in the same image.
inline constexpr int kMenuWidth = 1024, kMenuHeight = 768;

/// Draws the menu page and the session state into the current ImGui frame. Stores the rectangles of the
/// controls in `context.state.marks`.
void drawVrMenu(PanelContext& context, VrMenu& menu);

}  // namespace tenon::runtime
