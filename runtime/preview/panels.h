// The panels: what can be set and read beside the picture.
#pragma once

#include <span>

#include "runtime/preview/history.h"
#include "runtime/preview/overlay.h"
#include "runtime/preview/preview_state.h"
#include "runtime/preview/stage.h"
#include "runtime/simulation/moment.h"

namespace tenon::runtime {

/// What panels show; what they change is in `state`.
struct PanelContext {
  PreviewState& state;
  Stage& stage;
  const Moment& moment;
  const History& history;
  const std::string& device;  ///< that draws
  double scale = 1;           ///< of the display
  bool recorded = false;      ///< what is known is of this moment alone, not what led to it
};

/// What the panels leave of a window of this size for the picture [pixels of the interface].
PictureArea areaBeside(const PreviewState& state, double scale, float width, float height);

/// An area as shares of the window, and its width over its height: how a pointer meets it.
struct PictureShare {
  PictureArea area;  ///< [-]
  double aspect = 1;
};
PictureShare shareOf(const PictureArea& area, float width, float height);

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
void drawPicker(PanelContext& context);
void drawNote(PanelContext& context);

/// The dialog that F1 opens: `left` keys in the left column, the mouse and the other keys in the right one.
void drawKeyList(PanelContext& context, std::span<const ActionKey> keys, std::span<const MouseHelp> mouse,
                 std::size_t left);

/// Remembers where the control that was just drawn is, for tests that steer a mouse.
void mark(PanelContext& context, const char* name);
/// A tip beside the control that was just drawn.
void tip(const std::string& text);

}  // namespace tenon::runtime
