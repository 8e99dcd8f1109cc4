// The goals panel: verdict, depth, push and the reason of a stop.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "runtime/live_view/held_short.h"
#include "runtime/live_view/panel_layout.h"
#include "runtime/live_view/verdict_colors.h"
#include "runtime/report/diagnosis_text.h"
#include "xr/display/ui_color.h"

namespace tenon::runtime {

namespace {

constexpr std::size_t kMaxDetailed = 4;  ///< goals that all have their details
constexpr std::size_t kMaxLines = 12;    ///< of a longer list, which scrolls

/// In a long list: a part is in the hole, but its goal is not reached.
bool needsDetails(const PanelContext& context, std::size_t index) {
  const GoalResult& result = context.frame.goals[index];
  return !isReached(result.verdict) && (result.atHole() || result.verdict != Verdict::pending);
}

/// Name and verdict in one line. Returns the verdict that is shown.
Verdict drawVerdict(PanelContext& context, std::size_t index) {
  const GoalResult& result = context.frame.goals[index];
  const bool heldShort = isHeldShort(context.frame, index);
  const Verdict shown = heldShort ? Verdict::pending : result.verdict;
  const ImVec4 color = xr::uiColor(textColorOf(shown));
  const std::string verdict = heldShort ? "held short" : std::string(toText(shown)),
                    name = context.sceneView.goalName(index);
  const float width = ImGui::CalcTextSize(verdict.c_str()).x, gap = ImGui::GetFontSize();
  ImGui::TextUnformatted(fitted(name, ImGui::GetContentRegionAvail().x - width - gap).c_str());
  tip(name);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - width);
  ImGui::TextColored(color, "%s", verdict.c_str());
  return shown;
}

void drawGoal(PanelContext& context, std::size_t index) {
  const content::Goal& goal = context.sceneView.scene->goals[index];
  const GoalResult& result = context.frame.goals[index];
  const Verdict shown = drawVerdict(context, index);
  const ImVec4 color = xr::uiColor(textColorOf(shown));
  // The depth is only meaningful at this hole.
  const bool counts = result.atHole() || result.verdict == Verdict::tooDeep;
  const double share = counts && goal.depth > 0 ? std::clamp(result.depth / goal.depth, 0.0, 1.0) : 0;
  ImGui::PushStyleColor(ImGuiCol_PlotHistogram, xr::uiColor(barColorOf(shown)));
  ImGui::ProgressBar(static_cast<float>(share), {-1, 0},
                     counts
                         ? fmt::format("{:.2f} mm of {:.2f} mm", 1e3 * result.depth, 1e3 * goal.depth).c_str()
                         : "Not at hole");
  mark(context, fmt::format("goal {} bar", index).c_str());
  ImGui::PopStyleColor();
  ImGui::TextDisabled("push %s N, max %s N · tilt %s°", fmt::format("{:.2f}", result.push).c_str(),
                      fmt::format("{:.2f}", result.maxPush).c_str(),
                      fmt::format("{:.2f}", result.tilt * 180 / std::acos(-1.0)).c_str());
  const bool stopped = shown == Verdict::jammed || shown == Verdict::blocked || shown == Verdict::tooDeep ||
                       shown == Verdict::crossThreaded || shown == Verdict::stripped;
  // The margin to wedging needs all steps.
  const bool explained = result.verdict == Verdict::inserted && !context.frame.sampled;
  if (stopped || result.limitedByTilt || result.current.cause == StopCause::wedged || explained) {
    ImGui::PushTextWrapPos(0);
    if (stopped) {
      ImGui::TextColored(color, "%s", explanationOf(result, goal).c_str());
    } else {
      ImGui::TextDisabled("%s", explanationOf(result, goal).c_str());
    }
    ImGui::PopTextWrapPos();
  }
}

}  // namespace

void drawGoals(PanelContext& context) {
  const std::size_t count = std::min(context.sceneView.scene->goals.size(), context.frame.goals.size());
  if (count == 0) return ImGui::TextDisabled("No goals");
  const auto reached = std::count_if(context.frame.goals.begin(), context.frame.goals.end(),
                                     [](const GoalResult& result) { return isReached(result.verdict); });
  if (count > 1) {
    ImGui::TextUnformatted(fmt::format("{} of {} reached", reached, count).c_str());
    mark(context, "goals reached");
  }
  const bool isLong = count > kMaxDetailed;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  if (isLong) ImGui::BeginChild("goals", {0, line * static_cast<float>(std::min(count, kMaxLines) + 3)});
  for (std::size_t k = 0; k < count; ++k) {
    ImGui::PushID(static_cast<int>(k));
    if (isLong && !needsDetails(context, k))
      drawVerdict(context, k);
    else
      drawGoal(context, k);
    ImGui::PopID();
    if (k + 1 < count && !isLong) ImGui::Spacing();
  }
  if (isLong) ImGui::EndChild();
}

}  // namespace tenon::runtime
