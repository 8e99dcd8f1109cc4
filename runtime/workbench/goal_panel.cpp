// The properties of a goal, and suggestions for goals.
#include <fmt/format.h>
#include <imgui.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "content/edit/goal_edits.h"
#include "content/edit/json_style.h"
#include "content/edit/part_edits.h"
#include "content/edit/script_edits.h"
#include "content/input/wording.h"
#include "runtime/live_view/panel_layout.h"
#include "runtime/report/units_text.h"
#include "runtime/workbench/arrange_panels.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

void setGoal(ArrangeContext& context, std::size_t goal, const std::string& field, const Json& value) {
  editBench(context, field + " of goal " + context.bench.sceneView().goalName(goal),
            [&](content::JsonText& text) { content::setGoalField(text, goal, field, value); });
}

void lengthField(ArrangeContext& context, std::size_t goal, const std::string& label, const char* field,
                 double length) {
  const double units = content::unitsPerMeter(context.bench.scene().unit);
  const std::string shown = fmt::format("{} [{}]", label, context.bench.scene().unit);
  if (const auto typed = numberField(context, shown.c_str(), std::string("goal ") + field, length * units))
    setGoal(context, goal, field, content::number(*typed));
}

/// "H7/g6", or a clearance as the file has it.
std::string fitText(ArrangeContext& context, std::size_t goal) {
  const Json fit = context.bench.parsed()->value(fmt::format("/goals/{}/fit", goal));
  if (fit.is_string()) return fit.get<std::string>();
  return fit.is_null() ? "" : fit.dump();
}

}  // namespace

void drawGoalProperties(ArrangeContext& context, std::size_t index) {
  const content::Goal& goal = context.bench.scene().goals[index];
  const std::string hole = context.bench.scene().part(goal.into).name + "/" + goal.hole;
  ImGui::PushID(static_cast<int>(index));
  rowLabel("Part");
  ImGui::TextUnformatted(labelOf(context.bench.scene().part(goal.part).name).c_str());
  rowLabel("Into");
  ImGui::TextUnformatted(labelOf(hole).c_str());
  if (goal.turns > 0) {
    if (const auto typed = numberField(context, "Turns", "goal turns", goal.turns))
      setGoal(context, index, "turns", content::number(*typed));
  } else {
    lengthField(context, index, "Depth", "depth", goal.depth);
    lengthField(context, index, "Depth ±", "depth_tolerance", goal.depthTolerance);
  }
  if (const auto typed =
          numberField(context, "Tilt, at most [°]", "goal tilt", goal.tiltTolerance * 180 / std::numbers::pi))
    setGoal(context, index, "tilt_tolerance_deg", content::number(*typed));
  if (!goal.pose && goal.turns == 0) {
    if (const auto typed = textField(context, "Fit", "goal fit", fitText(context, index)))
      setGoal(context, index, "fit", typed->empty() ? Json() : Json(*typed));
    tip("Tolerance classes of hole and part, such as H7/g6; empty: as drawn");
  }
  if (ImGui::SmallButton("Delete goal"))
    context.panels.state.requestedActions.push_back(Action::deleteSelected);
  mark(context.panels, "delete goal");
  ImGui::PopID();
}

void drawGoalSuggestions(ArrangeContext& context) {
  Workbench& bench = context.bench;
  ArrangeState& arrange = context.arrange;
  if (!bench.isReading() && arrange.suggestionsOf != bench.document().revision()) {
    arrange.suggestions = suggestGoals(bench.scene());
    arrange.suggestionsOf = bench.document().revision();
  }
  const std::size_t count = arrange.suggestions.size();
  if (count == 0) {
    ImGui::TextDisabled(bench.scene().goals.empty() ? "No part fits into a hole of another"
                                                    : "Every part that fits into a hole has a goal");
  } else {
    ImGui::Text("%zu pair%s could fit", count, count == 1 ? "" : "s");
    ImGui::SameLine();
    if (ImGui::SmallButton("Accept all"))
      editBench(context, fmt::format("{} goal{}", count, count == 1 ? "" : "s"),
                [&](content::JsonText& text) {
                  for (const GoalSuggestion& one : arrange.suggestions)
                    content::addGoal(text, bench.newestScene(), one.goal);
                });
    mark(context.panels, "accept all");
  }
  const std::vector<GoalSuggestion> shown = arrange.suggestions;
  constexpr std::size_t kMost = 3;
  for (std::size_t k = 0; k < std::min(shown.size(), kMost); ++k) {
    const content::GoalDraft& goal = shown[k].goal;
    ImGui::PushID(static_cast<int>(k));
    if (ImGui::SmallButton("Accept"))
      editBench(context, "goal " + goal.part,
                [&](content::JsonText& text) { content::addGoal(text, bench.newestScene(), goal); });
    mark(context.panels, fmt::format("accept {}", k).c_str());
    ImGui::SameLine();
    const std::string text = fmt::format("{} into {}/{}", goal.part, goal.into, goal.hole);
    ImGui::TextUnformatted(fitted(text, ImGui::GetContentRegionAvail().x).c_str());
    tip(fmt::format("{}, clearance {}{}", text, content::smallLengthText(shown[k].clearance),
                    goal.fit.empty() ? "" : ", fit " + goal.fit));
    ImGui::PopID();
  }
  if (shown.size() > kMost) ImGui::TextDisabled("and %zu more", shown.size() - kMost);
  if (bench.scene().goals.empty()) return;
  if (ImGui::SmallButton("Script for all goals"))
    editBench(context, "script for all goals",
              [&](content::JsonText& text) { content::setScriptOfGoals(text, bench.newestScene()); });
  mark(context.panels, "script for goals");
  tip("The right hand takes each part and inserts it, in the order of the goals; replaces the scripts of "
      "both hands");
}

}  // namespace tenon::runtime
