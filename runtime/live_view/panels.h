// The panels beside the image.
#pragma once

#include <span>

#include "runtime/live_view/history.h"
#include "runtime/live_view/overlay.h"
#include "runtime/live_view/scene_view.h"
#include "runtime/live_view/view_state.h"
#include "runtime/simulation/simulation_frame.h"

namespace tenon::runtime {

/// The data shown by the panels. Panels write their changes to `state`.
struct PanelContext {
  ViewState& state;
  SceneView& sceneView;
  const SimulationFrame& frame;
  const History& history;
  const std::string& device;  ///< name of the rendering device
  double scale = 1;           ///< of the display [-]
  bool isArranged = false;    ///< the scene is that of the workbench
};

/// The image area beside the panels of a window of this size [ImGui pixels].
ImageArea imageAreaBeside(const ViewState& state, double scale, float width, float height);

/// An area as fractions of the window, and its aspect ratio, for mouse input.
struct RelativeImageArea {
  ImageArea area;  ///< [-]
  double aspect = 1;
};
RelativeImageArea shareOf(const ImageArea& area, float width, float height);

/// View cube and section handle, in the image; sets the camera's projection.
void drawViewTools(PanelContext& context, const ImageArea& area);

/// Draws all panels for the current window size.
void drawPanels(PanelContext& context);

// --- one file each
void drawToolbar(PanelContext& context);
void drawStatusBar(PanelContext& context);
void drawGoals(PanelContext& context);
void drawView(PanelContext& context);
void drawPhysics(PanelContext& context);
void drawDynamics(PanelContext& context);
void drawParameters(PanelContext& context);
void drawPlots(PanelContext& context);  ///< needs a goal
void drawDeveloper(PanelContext& context);
void drawEvents(PanelContext& context);
void drawHelp(PanelContext& context);
void drawScenePicker(PanelContext& context);
void drawNote(PanelContext& context);

/// The key list (F1): the first `left` keys in the left column, mouse and remaining keys in the right one.
void drawKeyList(PanelContext& context, std::span<const ActionKey> keys, std::span<const MouseHelp> mouse,
                 std::size_t left);

/// Stores the rectangle of the last control under `name`, for tests that move the mouse.
void mark(PanelContext& context, const char* name);
/// A tooltip for the last control.
void tip(const std::string& text);

}  // namespace tenon::runtime
