// Layout as in the preview, with a time line below the image.
#include "runtime/replay/replay_panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/live_view/panel_layout.h"

namespace tenon::runtime {

namespace {

constexpr float kTimelineHeight = 74;  ///< [pixels at scale 1]

constexpr auto kKeys = withViewKeys(
    std::array{
        ActionKey{Action::playPause, key::kSpace, false, false, "Space", "play, pause"},
        ActionKey{Action::step, key::kRight, false, true, "→", "next recorded state"},
        ActionKey{Action::stepBack, key::kLeft, false, true, "←", "previous recorded state"},
        ActionKey{Action::nextEvent, key::kPageDown, false, true, "Page down", "next event"},
        ActionKey{Action::previousEvent, key::kPageUp, false, true, "Page up", "previous event"},
        ActionKey{Action::reset, key::kHome, false, false, "Home", "start"},
        ActionKey{Action::toEnd, key::kEnd, false, false, "End", "end"},
        ActionKey{Action::slower, key::kDown, false, false, "↓", "slower, down to 1/10"},
        ActionKey{Action::faster, key::kUp, false, false, "↑", "faster, up to 4×"},
        ActionKey{Action::resimulate, 'R', false, false, "R", "compare with a re-simulation"},
    },
    std::array{
        ActionKey{Action::panels, key::kTab, false, false, "Tab", "show or hide the panels"},
        ActionKey{Action::screenshot, key::kF12, false, false, "F12", "save an image"},
        ActionKey{Action::help, key::kF1, false, false, "F1", "show this list"},
        ActionKey{Action::requestExit, key::kEscape, false, false, "Esc", "close the list; quit"},
    });
constexpr std::array kMouse{
    MouseHelp{"Left on the time line", "go to this time; drag"},
    MouseHelp{"Left on an event", "go to the event"},
    MouseHelp{"Left, middle in the image", "orbit"},
    MouseHelp{"Shift+middle, right", "pan"},
    MouseHelp{"Wheel", "zoom"},
    MouseHelp{"Ctrl+left, twice", "measure between two features"},
    MouseHelp{"View cube", "click: view from there; drag: orbit"},
    MouseHelp{"Section handle", "drag the plane (S: section)"},
};

void replayButton(PanelContext& context, Action action, const char* text, const char* name,
                  const std::string& tooltip, bool on = false) {
  actionButton(context, action, keyNameOf(action, kKeys), text, name, tooltip, true, on);
}

void drawSpeed(PanelContext& context, ReplayView& replay) {
  Playback& playback = replay.playback;
  ImGui::SetNextItemWidth(5.2f * ImGui::GetFontSize());
  if (ImGui::BeginCombo("##speed", fmt::format("{:g}×", playback.speed()).c_str())) {
    for (const double one : Playback::kSpeeds) {
      if (ImGui::Selectable(fmt::format("{:g}×", one).c_str(), one == playback.speed()))
        playback.setSpeed(one);
      mark(context, fmt::format("speed {:g}", one).c_str());
    }
    ImGui::EndCombo();
  }
  mark(context, "speed");
  tip("Session time per real time (↑ ↓)");
  ImGui::SameLine();
}

void drawToolbar(PanelContext& context, ReplayView& replay) {
  const Playback& playback = replay.playback;
  replayButton(context, Action::playPause, playback.isPlaying() ? "Pause" : "Play", "play",
               playback.isPlaying() ? "Pause" : "Play", playback.isPlaying());
  replayButton(context, Action::stepBack, "Back", "back", "Previous recorded state");
  replayButton(context, Action::step, "Step", "step", "Next recorded state");
  drawSpeed(context, replay);
  replayButton(context, Action::previousEvent, "< Event", "previous event", "Previous event");
  replayButton(context, Action::nextEvent, "Event >", "next event", "Next event");
  replayButton(context, Action::resimulate, "Re-simulate", "re-simulate",
               "Simulate again from the recorded inputs and show differences", replay.ghost.has_value());
  replayButton(context, Action::help, "?", "help", "Keys and mouse");
  drawIfFits(fmt::format("{:.3f} s of {:.3f} s", playback.time(), playback.length()));
}

StatusText replayStatus(const PanelContext& context, const ReplayView& replay) {
  const ViewState& state = context.state;
  if (!replay.damage.empty()) return {replay.damage, warningColor()};
  if (state.noticeUntil > xr::Window::now()) return {state.notice, warningColor()};
  if (replay.ghost) return {"Re-simulation: " + ghostText(replay), ImGui::GetStyleColorVec4(ImGuiCol_Text)};
  return {"Space: play · drag on the time line · Page down: next event · F1: keys",
          ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled)};
}

void drawStatus(PanelContext& context, const ReplayView& replay) {
  drawStatusLine(context, replayStatus(context, replay),
                 {fmt::format("step {} of {}", replay.tick, replay.lastTick),
                  ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled)});
}

void wrapped(const std::string& text, bool warning = false) {
  ImGui::PushTextWrapPos(0);
  if (warning) {
    ImGui::TextColored(warningColor(), "%s", text.c_str());
  } else {
    ImGui::TextDisabled("%s", text.c_str());
  }
  ImGui::PopTextWrapPos();
}

void drawRecord(PanelContext& context, const ReplayView& replay) {
  bool on = replay.ghost.has_value();
  if (ImGui::Checkbox("Compare with re-simulation", &on))
    context.state.requestedActions.push_back(Action::resimulate);
  mark(context, "re-simulation");
  if (replay.ghost)
    wrapped(ghostText(replay), replay.ghost->firstDifferent && replay.verificationObstacle.empty());
  if (!replay.verificationObstacle.empty())
    wrapped("Played from the recorded states. Exact verification does not apply: " +
            replay.verificationObstacle);
  wrapped(fmt::format("{}, recorded {} by {}", replay.file, replay.recorded, replay.program));
  wrapped(replay.ending, replay.cutOff);
}

void drawColumn(PanelContext& context, ReplayView& replay, float width, float height) {
  const auto scale = static_cast<float>(context.scale);
  placeNext(width - kColumn * scale, kBar * scale, kColumn * scale, height - (kBar + kStatus) * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  if (ImGui::Begin("column", nullptr, kFixed)) {
    section(
        "Events", context, [&](PanelContext& c) { drawReplayEvents(c, replay); }, true);
    section(
        "Record", context, [&](PanelContext& c) { drawRecord(c, replay); }, true);
    section("Goals", context, drawGoals, true);
    section("View", context, drawView, true);
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

/// A window without a title bar.
template <class Draw>
void bar(const char* name, float x, float y, float width, float height, ImVec2 padding, const Draw& draw) {
  placeNext(x, y, width, height);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  if (ImGui::Begin(name, nullptr, kFixed | ImGuiWindowFlags_NoScrollbar)) draw();
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace

std::span<const ActionKey> replayKeys() {
  return kKeys;
}

std::string ghostText(const ReplayView& replay) {
  const GhostStatus& ghost = *replay.ghost;
  const std::string upTo = ghost.done && ghost.problem.empty()
                               ? "to the end"
                               : fmt::format("until {:.3f} s", std::max(ghost.time, 0.0));
  const std::string problem = ghost.problem.empty() ? "" : "; stopped: " + ghost.problem;
  if (!ghost.firstDifferent) return fmt::format("identical bit for bit {}{}", upTo, problem);
  const std::string part = ghost.body >= 0 && ghost.body < static_cast<int>(replay.parts.size())
                               ? replay.parts[static_cast<std::size_t>(ghost.body)]
                               : "velocities only";
  return fmt::format("differs from {:.3f} s on, max {:.4g} mm ({}, at {:.3f} s), {}{}",
                     ghost.firstDifferentTime, 1e3 * ghost.maxDistance, part, ghost.maxDistanceTime, upTo,
                     problem);
}

ImageArea replayArea(const ViewState& state, double scale, float width, float height) {
  ImageArea area = imageAreaBeside(state, scale, width, height);
  area.height = std::max(area.height - kTimelineHeight * static_cast<float>(scale), 1.0f);
  return area;
}

void drawReplayPanels(PanelContext& context, ReplayView& replay) {
  context.state.marks.clear();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const auto scale = static_cast<float>(context.scale);
  if (context.state.settings.panels) drawColumn(context, replay, size.x, size.y);
  drawViewTools(context, replayArea(context.state, context.scale, size.x, size.y));
  const float across = size.x - (context.state.settings.panels ? kColumn * scale : 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  bar("bar", 0, 0, size.x, kBar * scale, {10 * scale, 8 * scale}, [&] { drawToolbar(context, replay); });
  bar("time line", 0, size.y - (kStatus + kTimelineHeight) * scale, across, kTimelineHeight * scale,
      {12 * scale, 4 * scale}, [&] { drawTimeline(context, replay); });
  bar("status", 0, size.y - kStatus * scale, size.x, kStatus * scale, {10 * scale, 5 * scale},
      [&] { drawStatus(context, replay); });
  ImGui::PopStyleVar(2);
  constexpr std::size_t kLeft = 16;
  if (context.state.help) drawKeyList(context, kKeys, kMouse, kLeft);
}

}  // namespace tenon::runtime
