// The panels of a replay: time line, events, what is known of the record, the re-simulation.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/live_view/panels.h"
#include "runtime/replay/ghost.h"
#include "runtime/replay/playback.h"

namespace tenon::runtime {

/// What these panels show besides the scene, and what they ask for.
struct ReplayView {
  Playback& playback;
  std::string file, recorded, program;
  std::string ending;  ///< how the session ended, or that it was cut off
  bool cutOff = false;
  std::string verificationObstacle;  ///< why exact verification does not apply, or ""
  std::vector<ShownHold> holds;
  std::vector<std::string> hands;
  std::vector<std::string> parts;
  std::int64_t tick = 0, lastTick = 0;
  std::string damage;                ///< what is wrong with the file at the present time, or ""
  std::optional<GhostStatus> ghost;  ///< none: no re-simulation was asked for

  // --- asked for; taken by the frame loop
  std::optional<double> goTo;  ///< [s]
  bool scrubbing = false;      ///< the time line is being dragged
};

/// In the order in which they are told.
std::span<const ActionKey> replayKeys();

/// What the panels leave for the picture, as imageAreaBeside() has it.
ImageArea replayArea(const ViewState& state, double scale, float width, float height);

void drawReplayPanels(PanelContext& context, ReplayView& replay);

/// "identical so far, up to 1.200 s", "off by at most 0.12 mm (screw, at 1.2 s)".
std::string ghostText(const ReplayView& replay);

// --- one file each
void drawTimeline(PanelContext& context, ReplayView& replay);
void drawReplayEvents(PanelContext& context, ReplayView& replay);

}  // namespace tenon::runtime
