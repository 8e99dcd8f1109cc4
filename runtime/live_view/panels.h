// The panels: what can be set and read beside the picture.
#pragma once

#include <span>

#include "runtime/live_view/history.h"
#include "runtime/live_view/overlay.h"
#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// What panels show; what they change is in `state`.
struct PanelContext {
  ViewState& state;
  SceneView& sceneView;
  const SimulationFrame& moment;
  const History& history;
  const std::string& device;  ///< that draws
  double scale = 1;           ///< of the display
  bool recorded = false;      ///< what is known is of this moment alone, not what led to it
};

/// What the panels leave of a window of this size for the picture [pixels of the interface].
ImageArea imageAreaBeside(const ViewState& state, double scale, float width, float height);

/// An area as shares of the window, and its width over its height: how a pointer meets it.
struct RelativeImageArea {
  ImageArea area;  ///< [-]
  double aspect = 1;
};
RelativeImageArea shareOf(const ImageArea& area, float width, float height);

/// All of them, for the window's present size.
void drawPanels(PanelContext& context);

// --- one file each
void drawToolbar(PanelContext& context);
void drawStatusBar(PanelContext& context);
void drawGoals(PanelContext& context);
void drawView(PanelContext& context);
void drawPhysics(PanelContext& context);
void drawPlots(PanelContext& context);
void drawEvents(PanelContext& context);
void drawHelp(PanelContext& context);
void drawScenePicker(PanelContext& context);
void drawNote(PanelContext& context);

/// The dialog that F1 opens: `left` keys in the left column, the mouse and the other keys in the right one.
void drawKeyList(PanelContext& context, std::span<const ActionKey> keys, std::span<const MouseHelp> mouse,
                 std::size_t left);

/// Remembers where the control that was just drawn is, for tests that steer a mouse.
void mark(PanelContext& context, const char* name);
/// A tip beside the control that was just drawn.
void tip(const std::string& text);

}  // namespace tenon::runtime
