// The panels of a replay: time line, events, record data, re-simulation.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/live_view/panels.h"
#include "runtime/replay/ghost.h"
#include "runtime/replay/playback.h"

namespace tenon::runtime {

/// The data and requests of the replay panels.
struct ReplayView {
  Playback& playback;
  std::string file, recorded, program;
  std::string ending;  ///< how the session ended
  bool cutOff = false;
  std::string verificationObstacle;  ///< why it cannot be verified exactly, or ""
  std::vector<ShownHold> holds;
  std::vector<std::string> hands;
  std::vector<std::string> parts;
  std::int64_t tick = 0, lastTick = 0;
  std::string damage;                ///< of the file at the current time, or ""
  std::optional<GhostStatus> ghost;  ///< std::nullopt: no re-simulation

  // --- requests, handled by the frame loop
  std::optional<double> goTo;  ///< [s]
  bool scrubbing = false;      ///< the time line is being dragged
};

/// The keys in the order of the key list.
std::span<const ActionKey> replayKeys();

/// The image area beside the panels, as imageAreaBeside().
ImageArea replayArea(const ViewState& state, double scale, float width, float height);

void drawReplayPanels(PanelContext& context, ReplayView& replay);

/// Such as "identical bit for bit until 1.200 s".
std::string ghostText(const ReplayView& replay);

// --- one file each
void drawTimeline(PanelContext& context, ReplayView& replay);
void drawReplayEvents(PanelContext& context, ReplayView& replay);

}  // namespace tenon::runtime
