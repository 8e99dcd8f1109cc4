// Panels for events, physics statistics, and keys.
#include <fmt/format.h>
#include <imgui.h>

#include <array>
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
  const LiveStatus& status = context.frame.status;
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
  tip("Add a bookmark to the record (B)");
  ImGui::SameLine();
  if (ImGui::SmallButton("Note …")) context.state.requestedActions.push_back(Action::note);
  mark(context, "note");
  tip("Add a note to the record (W)");
  const float height = 7.5f * ImGui::GetTextLineHeightWithSpacing();
  if (ImGui::BeginChild("events", {0, height})) {
    for (const std::string& event : context.history.events()) ImGui::TextUnformatted(event.c_str());
    if (context.history.events().empty()) ImGui::TextDisabled("No events");
    // Scrolls to the newest event unless the user has scrolled up.
    if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - ImGui::GetTextLineHeight()) ImGui::SetScrollHereY(1);
  }
  ImGui::EndChild();
}

void drawPhysics(PanelContext& context) {
  const LiveStatus& status = context.frame.status;
  const FrameStats& stats = context.state.stats;
  const physics::StepReport& report = context.frame.record.tick.report;
  drawSolver(context);
  row("real-time factor", fmt::format("{:.2f} %", 100 * status.achievedRatio));
  row("steps dropped", fmt::format("{} of {}, backlog {:.1f} ms", status.droppedSteps, status.steps,
                                   1e-6 * static_cast<double>(status.backlog_ns)));
  row("step time", fmt::format("{:.0f} µs", context.frame.record.step_us));
  row("contacts", fmt::format("{} in {} islands", report.contacts, report.islands));
  row("solver used", std::string(physics::toText(report.solver)) +
                         (report.accuracy == physics::Accuracy::fast ? ", fast" : "") +
                         (report.converged ? "" : ", not converged"));
  row("penetration", fmt::format("{:.3g} nm", 1e9 * report.penetration));
  row("publish time",
      fmt::format("mean {:.1f} µs, max {:.0f} µs", status.meanPublishTime_us, status.maxPublishTime_us));
  row("mouse latency",
      stats.latency_ms < 0 ? std::string("pull a part") : fmt::format("{:.1f} ms", stats.latency_ms));
  row("rendering",
      fmt::format("{:.1f} fps, {:.1f} ms, resolution {:g}", stats.fps, stats.draw_ms, stats.resolutionScale));
  ImGui::PushTextWrapPos(0);
  row("device", context.device);
  ImGui::PopTextWrapPos();
}

namespace {

/// One line per entry in the current column: the name, and its wrapped description beside it.
template <class Lines>
void drawLines(PanelContext& context, const Lines& lines, float width) {
  for (const auto& one : lines) {
    ImGui::TextUnformatted(one.name.data(), one.name.data() + one.name.size());
    mark(context, fmt::format("help name {}", one.name).c_str());
    ImGui::SameLine(width);
    ImGui::PushTextWrapPos(0);
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::TextUnformatted(one.description.data(), one.description.data() + one.description.size());
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
    mark(context, fmt::format("help {}", one.name).c_str());
  }
}

/// Distance from a column's left edge to the descriptions [pixels].
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
  constexpr std::size_t kLeft = 21;
  drawKeyList(context, kActionKeys, kMouseHelp, kLeft);
}

}  // namespace tenon::runtime
