// The bar above: time and its flow. The bar below: what is going on, and how fast.
#include <fmt/format.h>
#include <imgui.h>

#include <array>

#include "runtime/live_view/panel_layout.h"

namespace tenon::runtime {

namespace {

constexpr std::array kSpeeds{0.1, 0.2, 0.5, 1.0};
const ImVec4 kWarning(0.98f, 0.72f, 0.30f, 1);

void button(PanelContext& context, Action action, const char* text, const char* name, const std::string& says,
            bool enabled = true, bool on = false) {
  actionButton(context, action, keyNameOf(action), text, name, says, enabled, on);
}

void drawSpeed(PanelContext& context) {
  const double speed = context.moment.status.speed;
  ImGui::SetNextItemWidth(5.2f * ImGui::GetFontSize());
  if (ImGui::BeginCombo("##speed", fmt::format("{:g}×", speed).c_str())) {
    for (const double one : kSpeeds)
      if (ImGui::Selectable(fmt::format("{:g}×", one).c_str(), one == speed)) context.state.speed = one;
    ImGui::EndCombo();
  }
  mark(context, "speed");
  tip("Simulated time to real time (↑ ↓)");
  ImGui::SameLine();
}

}  // namespace

void drawToolbar(PanelContext& context) {
  const LiveStatus& status = context.moment.status;
  button(context, Action::playPause, status.paused ? "Go on" : "Pause", "play",
         status.paused ? "Go on" : "Pause", true, status.paused);
  button(context, Action::step, "Step", "step", "One step");
  button(context, Action::reset, "Reset", "reset", "Back to the start");
  drawSpeed(context);
  button(context, Action::undo, "Undo", "undo", status.undoText.empty() ? "Nothing to undo" : status.undoText,
         status.undoable > 0);
  button(context, Action::redo, "Redo", "redo", status.redoText.empty() ? "Nothing to redo" : status.redoText,
         status.redoable > 0);
  button(context, Action::script, status.scripted ? "Script" : "Mouse", "script",
         status.scripted ? "The scene's script moves the hands; click to take over with the mouse"
                         : "The mouse moves the hands; click to play the scene's script from the start",
         true, status.scripted);
  const bool left = context.state.settings.leftHand;
  button(context, Action::otherHand, left ? "Left hand" : "Right hand", "hand",
         "Which hand the mouse is; the other one goes on holding", !status.scripted);
  button(context, Action::record, "Record", "record",
         status.recording ? "End the record; the session goes on"
                          : "Record the session, from the scene's start, to a new file",
         true, status.recording);
  button(context, Action::openScene, "Open", "open", "Another scene");
  button(context, Action::help, "?", "help", "Keys and mouse");
  const double time = 1e-9 * static_cast<double>(context.moment.time_ns);
  drawIfFits(fmt::format("{:.3f} s", time));
}

namespace {

StatusText happening(const PanelContext& context) {
  const ViewState& state = context.state;
  const LiveStatus& status = context.moment.status;
  const ImVec4 text = ImGui::GetStyleColorVec4(ImGuiCol_Text),
               faint = ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
  if (!state.loading.empty()) return {fmt::format("Reading {} …", state.loading), text};
  if (!status.failure.empty()) return {status.failure + " · Undo, Reset or Go on", kWarning};
  if (state.noticeUntil > xr::Window::now()) return {state.notice, kWarning};
  if (status.recording) return {"Recording · B: bookmark · W: note · Ctrl+R: end the record", text};
  if (status.scriptEnded)
    return {"The script has ended · P: take over · Backspace: play it again · F1: keys", faint};
  if (status.scripted) return {"The script moves the hands · P: take over · F1: keys", faint};
  return {"Pull a part with the left button · middle: orbit · wheel: zoom · F1: keys", faint};
}

}  // namespace

void drawStatusBar(PanelContext& context) {
  const LiveStatus& status = context.moment.status;
  drawStatusLine(context, happening(context),
                 {fmt::format("{:.0f} pictures/s · {:.0f} Hz × {:.1f} %", context.state.stats.fps,
                              status.rate, 100 * status.achievedRatio),
                  status.achievedRatio < 0.99 ? kWarning : ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled)});
}

}  // namespace tenon::runtime
