// Events, the numbers of physics and pictures, the list of keys, the scenes that can be opened.
#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <filesystem>
#include <string_view>

#include "runtime/live_view/panel_layout.h"
#include "runtime/live_view/panels.h"

namespace tenon::runtime {

namespace {

constexpr std::array kRates{250.0, 500.0, 1000.0, 2000.0, 4000.0};

void row(const char* name, const std::string& value) {
  ImGui::TextDisabled("%s", name);
  ImGui::SameLine(9.5f * ImGui::GetFontSize());
  ImGui::TextUnformatted(value.c_str());
}

void drawSolver(PanelContext& context) {
  const LiveStatus& status = context.moment.status;
  ImGui::SetNextItemWidth(11 * ImGui::GetFontSize());
  if (ImGui::BeginCombo("solver", std::string(physics::toText(status.solver)).c_str())) {
    for (const physics::SolverNameText& known : physics::kSolverNames)
      if (ImGui::Selectable(std::string(known.text).c_str(), known.name == status.solver))
        context.state.solver = known.name;
    ImGui::EndCombo();
  }
  mark(context, "solver");
  ImGui::SetNextItemWidth(11 * ImGui::GetFontSize());
  if (ImGui::BeginCombo("rate", fmt::format("{:g} Hz", status.rate).c_str())) {
    for (const double rate : kRates)
      if (ImGui::Selectable(fmt::format("{:g} Hz", rate).c_str(), rate == status.rate))
        context.state.rate = rate;
    ImGui::EndCombo();
  }
  mark(context, "rate");
}

void center(float width, float height) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * size.x, 0.5f * size.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(width, size.x), std::min(height, size.y)});
}

constexpr ImGuiWindowFlags kDialog = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

}  // namespace

void drawEvents(PanelContext& context) {
  if (ImGui::SmallButton("Bookmark")) context.state.requestedActions.push_back(Action::bookmark);
  mark(context, "bookmark");
  tip("Find this moment again in the record (B)");
  ImGui::SameLine();
  if (ImGui::SmallButton("Note …")) context.state.requestedActions.push_back(Action::note);
  mark(context, "note");
  tip("Write a note about this moment (W)");
  const float height = 7.5f * ImGui::GetTextLineHeightWithSpacing();
  if (ImGui::BeginChild("events", {0, height})) {
    for (const std::string& event : context.history.events()) ImGui::TextUnformatted(event.c_str());
    if (context.history.events().empty()) ImGui::TextDisabled("Nothing has happened yet.");
    // Follows the newest, unless somebody has scrolled up to read.
    if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - ImGui::GetTextLineHeight()) ImGui::SetScrollHereY(1);
  }
  ImGui::EndChild();
}

void drawPhysics(PanelContext& context) {
  const LiveStatus& status = context.moment.status;
  const FrameStats& stats = context.state.stats;
  const physics::StepReport& report = context.moment.record.tick.report;
  drawSolver(context);
  row("steps achieved", fmt::format("{:.2f} % of those due", 100 * status.achievedRatio));
  row("given up, late", fmt::format("{} of {}, {:.1f} ms late", status.droppedSteps, status.steps,
                                    1e-6 * static_cast<double>(status.backlog_ns)));
  row("time of a step", fmt::format("{:.0f} µs", context.moment.record.step_us));
  row("contacts", fmt::format("{} in {} islands", report.contacts, report.islands));
  row("settled by",
      std::string(physics::toText(report.solver)) + (report.converged ? "" : ", not converged"));
  row("overlap", fmt::format("{:.3g} nm", 1e9 * report.penetration));
  row("hand-over",
      fmt::format("{:.1f} µs, at most {:.0f} µs", status.meanPublishTime_us, status.maxPublishTime_us));
  row("mouse to picture",
      stats.latency_ms < 0 ? std::string("move a part") : fmt::format("{:.1f} ms", stats.latency_ms));
  row("pictures", fmt::format("{:.1f} a second, {:.1f} ms, sharpness {:g}", stats.fps, stats.draw_ms,
                              stats.resolutionScale));
  ImGui::PushTextWrapPos(0);
  row("drawn by", context.device);
  ImGui::PopTextWrapPos();
}

namespace {

/// A line of the list for each of these in the present column: names, and what they do beside them, wrapped.
template <class Lines>
void drawLines(PanelContext& context, const Lines& lines, float width) {
  for (const auto& one : lines) {
    ImGui::TextUnformatted(one.name.data(), one.name.data() + one.name.size());
    mark(context, fmt::format("help name {}", one.name).c_str());
    ImGui::SameLine(width);
    ImGui::PushTextWrapPos(0);
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::TextUnformatted(one.does.data(), one.does.data() + one.does.size());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
    mark(context, fmt::format("help {}", one.name).c_str());
  }
}

/// From a column's left edge to what stands beside these names [pixels].
template <class Lines>
float nameWidth(const Lines& lines) {
  float width = 0;
  for (const auto& one : lines)
    width = std::max(width, ImGui::CalcTextSize(one.name.data(), one.name.data() + one.name.size()).x);
  return width + 1.5f * ImGui::GetFontSize();
}

}  // namespace

void drawKeyList(PanelContext& context, std::span<const ActionKey> keys, std::span<const MouseHelp> mouse,
                 std::size_t left) {
  const float font = ImGui::GetFontSize();
  center(60 * font, 38 * font);
  if (ImGui::Begin("Keys and mouse", &context.state.help, kDialog)) {
    const auto first = keys.first(left), rest = keys.subspan(left);
    ImGui::Columns(2, nullptr, false);
    drawLines(context, first, nameWidth(first));
    ImGui::NextColumn();
    // SameLine() counts from the column's own edge.
    const float width = std::max(nameWidth(mouse), nameWidth(rest));
    drawLines(context, mouse, width);
    ImGui::Spacing();
    drawLines(context, rest, width);
    ImGui::Columns(1);
  }
  ImGui::End();
}

void drawHelp(PanelContext& context) {
  constexpr std::size_t kLeft = 18;
  drawKeyList(context, kActionKeys, kMouseHelp, kLeft);
}

void drawScenePicker(PanelContext& context) {
  const float font = ImGui::GetFontSize();
  ViewState& state = context.state;
  center(40 * font, 30 * font);
  if (ImGui::Begin("Open a scene", &state.picker, kDialog)) {
    ImGui::TextDisabled("A scene file can also be dropped on the window.");
    ImGui::Spacing();
    if (state.scenes.empty())
      ImGui::TextUnformatted("No folder content/scenes is near; name a scene at the start.");
    for (const SceneEntry& scene : state.scenes) {
      const std::string name = std::filesystem::path(scene.file).stem().string();
      if (ImGui::Selectable(labelOf(name).c_str(), scene.file == context.sceneView.scene->file)) {
        state.openFile = scene.file;
        state.picker = false;
      }
      mark(context, name.c_str());
      ImGui::SameLine(15 * font);
      ImGui::TextDisabled("%s", scene.title.c_str());
    }
  }
  ImGui::End();
}

}  // namespace tenon::runtime
