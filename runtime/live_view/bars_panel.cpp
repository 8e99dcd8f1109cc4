// The toolbar (time, undo, record) and the status bar (state, frame rate).
#include <fmt/format.h>
#include <imgui.h>

#include <array>

#include "runtime/live_view/panel_layout.h"

namespace tenon::runtime {

namespace {

constexpr std::array kSpeeds{0.1, 0.2, 0.5, 1.0};

void toolbarButton(PanelContext& context, Action action, const char* text, const char* name,
                   const std::string& tooltip, bool enabled = true, bool on = false) {
  actionButton(context, action, keyNameOf(action), text, name, tooltip, enabled, on);
}

void drawSpeed(PanelContext& context) {
  const double speed = context.frame.status.speed;
  ImGui::SetNextItemWidth(5.2f * ImGui::GetFontSize());
  if (ImGui::BeginCombo("##speed", fmt::format("{:g}×", speed).c_str())) {
    for (const double one : kSpeeds)
      if (ImGui::Selectable(fmt::format("{:g}×", one).c_str(), one == speed)) context.state.speed = one;
    ImGui::EndCombo();
  }
  mark(context, "speed");
  tip("Simulated time per real time (↑ ↓)");
  ImGui::SameLine();
}

}  // namespace

void drawToolbar(PanelContext& context) {
  const LiveStatus& status = context.frame.status;
  toolbarButton(context, Action::playPause, status.paused ? "Play" : "Pause", "play",
                status.paused ? "Play" : "Pause", true, status.paused);
  toolbarButton(context, Action::step, "Step", "step", "Single step");
  toolbarButton(context, Action::reset, "Reset", "reset", "Reset to the start");
  drawSpeed(context);
  toolbarButton(context, Action::undo, "Undo", "undo",
                status.undoText.empty() ? "Nothing to undo" : status.undoText, status.undoable > 0);
  toolbarButton(context, Action::redo, "Redo", "redo",
                status.redoText.empty() ? "Nothing to redo" : status.redoText, status.redoable > 0);
  toolbarButton(context, Action::script, status.scripted ? "Script" : "Mouse", "script",
                status.scripted ? "The script moves the hands; click to take over with the mouse"
                                : "The mouse moves a hand; click to play the script from the start",
                true, status.scripted);
  const bool left = context.state.settings.leftHand;
  toolbarButton(context, Action::otherHand, left ? "Left hand" : "Right hand", "hand",
                "Hand moved by the mouse; the other hand keeps its grasp", !status.scripted);
  toolbarButton(context, Action::record, "Record", "record",
                status.recording ? "Stop recording; the session continues"
                                 : "Record from the scene's start to a new file",
                true, status.recording);
  toolbarButton(context, Action::arrange, "Arrange", "arrange",
                "Arrange parts and goals, and save the scene");
  toolbarButton(context, Action::openScene, "Open", "open", "Open a scene");
  toolbarButton(context, Action::help, "?", "help", "Keys and mouse");
  const double time = 1e-9 * static_cast<double>(context.frame.time_ns);
  drawIfFits(fmt::format("{:.3f} s", time));
}

namespace {

StatusText statusText(const PanelContext& context) {
  const ViewState& state = context.state;
  const LiveStatus& status = context.frame.status;
  const ImVec4 text = ImGui::GetStyleColorVec4(ImGuiCol_Text),
               faint = ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
  if (!state.loading.empty()) return {fmt::format("Reading {} …", state.loading), text};
  if (!status.failure.empty())
    return {status.failure + (status.ended ? "" : " · Undo, Reset or Play"), warningColor()};
  if (state.noticeUntil > xr::Window::now()) return {state.notice, warningColor()};
  if (status.recording) return {"Recording · B: bookmark · W: note · Ctrl+R: stop", text};
  if (status.scriptEnded) return {"Script finished · P: take over · Backspace: replay · F1: keys", faint};
  if (status.scripted) return {"Script is playing · P: take over · F1: keys", faint};
  return {"Left: pull a part · middle: orbit · wheel: zoom · F1: keys", faint};
}

}  // namespace

void drawStatusBar(PanelContext& context) {
  const LiveStatus& status = context.frame.status;
  drawStatusLine(
      context, statusText(context),
      {fmt::format("{:.0f} fps · physics {:.0f} Hz, {:.0f} % real time", context.state.stats.fps, status.rate,
                   100 * status.achievedRatio),
       status.achievedRatio < 0.99 ? warningColor() : ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled)});
}

}  // namespace tenon::runtime
