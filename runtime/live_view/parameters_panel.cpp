// The parameters of a scene as sliders, and a study of them.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "content/input/printable.h"
#include "runtime/live_view/panel_layout.h"
#include "runtime/live_view/parameter_view.h"

namespace tenon::runtime {

namespace {

using content::Parameter;

/// A text in a format of printf.
std::string inFormat(const std::string& text) {
  std::string escaped;
  for (const char c : content::printable(text)) escaped += c == '%' ? "%%" : std::string(1, c);
  return escaped;
}

/// The text in a slider: name, value and unit.
std::string formatOf(const Parameter& one) {
  const bool hasUnit = !one.unit.empty() && one.unit != "1";
  return inFormat(one.name) + (one.isInteger ? ": %.0f" : ": %.5g") +
         (hasUnit ? " " + inFormat(one.unit) : "");
}

double rounded(const Parameter& one, double value) {
  return std::clamp(one.isInteger ? std::round(value) : value, one.minimum, one.maximum);
}

void drawSlider(PanelContext& context, const Parameter& one) {
  ParameterView& view = context.state.parameters;
  const auto held = view.dragged.find(one.name);
  double value = held == view.dragged.end() ? one.value : held->second;
  ImGui::SetNextItemWidth(-1);
  const bool changed =
      ImGui::SliderScalar(fmt::format("##{}", one.name).c_str(), ImGuiDataType_Double, &value, &one.minimum,
                          &one.maximum, formatOf(one).c_str(), ImGuiSliderFlags_AlwaysClamp);
  mark(context, ("parameter " + one.name).c_str());
  if (!one.description.empty()) tip(one.description + "\nCtrl+click: type a value");
  if (changed) view.dragged[one.name] = rounded(one, value);
  // The scene is read again once the mouse lets the slider go.
  if (ImGui::IsItemDeactivated() && view.dragged.contains(one.name)) {
    const double wanted = view.dragged[one.name];
    view.dragged.clear();
    if (wanted != one.value)
      view.settings = settingsWith(context.sceneView.scene->parameters, one.name, wanted);
  }
}

VariedParameter& rangeOf(ParameterView& view, const Parameter& one) {
  return view.ranges.try_emplace(one.name, VariedParameter{one.name, one.minimum, one.maximum}).first->second;
}

void drawRange(PanelContext& context, const Parameter& one) {
  ParameterView& view = context.state.parameters;
  bool& varied = view.varied[one.name];
  ImGui::Checkbox(labelOf(one.name).c_str(), &varied);
  mark(context, ("vary " + one.name).c_str());
  if (!varied) return;
  VariedParameter& range = rangeOf(view, one);
  const float width = 0.5f * ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x;
  for (double* const end : {&range.low, &range.high}) {
    if (end == &range.high) ImGui::SameLine();
    ImGui::SetNextItemWidth(width);
    ImGui::InputDouble(fmt::format("##{}{}", end == &range.low ? "low " : "high ", one.name).c_str(), end, 0,
                       0, "%.5g");
    mark(context, fmt::format("{} {}", end == &range.low ? "low" : "high", one.name).c_str());
    if (ImGui::IsItemDeactivatedAfterEdit()) *end = rounded(one, *end);
    tip(fmt::format("From {:g} to {:g}", one.minimum, one.maximum));
  }
}

/// Why a study cannot be run; "" if it can.
std::string whyNoStudy(const PanelContext& context) {
  const content::Scene& scene = *context.sceneView.scene;
  const ParameterView& view = context.state.parameters;
  const bool hasScript = std::any_of(scene.hands.begin(), scene.hands.end(),
                                     [](const content::Hand& hand) { return !hand.script.empty(); });
  if (!hasScript) return "The scene has no script, so its hands would do nothing";
  if (scene.goals.empty()) return "The scene has no goals, so there is no yield";
  const bool any = std::any_of(scene.parameters.begin(), scene.parameters.end(), [&](const Parameter& one) {
    const auto varied = view.varied.find(one.name);
    return varied != view.varied.end() && varied->second;
  });
  return any ? "" : "Check at least one parameter to vary";
}

StudyRequest requestOf(const PanelContext& context) {
  ParameterView& view = context.state.parameters;
  StudyRequest request;
  request.cases = view.cases;
  for (const Parameter& one : context.sceneView.scene->parameters) {
    if (view.varied[one.name])
      request.varied.push_back(rangeOf(view, one));
    else if (one.value != one.defaultValue)
      request.fixed.emplace_back(one.name, one.value);
  }
  return request;
}

void drawResults(PanelContext& context) {
  const StudyStatus& study = context.state.parameters.study;
  if (study.text.empty()) return;
  if (study.isRunning) {
    ImGui::ProgressBar(static_cast<float>(study.done), {-1, 0}, "");
    mark(context, "study progress");
  }
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(study.text.c_str());
  ImGui::PopTextWrapPos();
  for (const auto& [name, value] : study.table) {
    ImGui::TextDisabled("%s", name.c_str());
    ImGui::SameLine(11 * ImGui::GetFontSize());
    ImGui::TextUnformatted(value.c_str());
  }
  if (study.report.empty()) return;
  ImGui::PushTextWrapPos(0);
  ImGui::TextDisabled("Report: %s", study.report.c_str());
  ImGui::PopTextWrapPos();
  mark(context, "study report");
  tip(fmt::format("Plan: {}\nResults: {}\nMore cases: tenon study {} --out {}", study.plan, study.results,
                  study.plan, study.results));
}

void drawStudy(PanelContext& context) {
  ParameterView& view = context.state.parameters;
  const bool open = ImGui::TreeNode("Study of these parameters");
  mark(context, "study");
  tip("Runs the script many times with varied parameters, from the values of the sliders");
  if (!open) return;
  for (const Parameter& one : context.sceneView.scene->parameters) drawRange(context, one);
  ImGui::SetNextItemWidth(8 * ImGui::GetFontSize());
  if (ImGui::InputInt("cases", &view.cases, 100, 1000)) view.cases = std::clamp(view.cases, 1, 1'000'000);
  mark(context, "cases");
  if (view.study.isRunning) {
    if (ImGui::Button("Stop study")) view.stop = true;
    mark(context, "stop study");
  } else {
    const std::string why = whyNoStudy(context);
    ImGui::BeginDisabled(!why.empty());
    if (ImGui::Button("Run study")) view.start = requestOf(context);
    mark(context, "run study");
    ImGui::EndDisabled();
    tip(why.empty() ? "In the background, on all cores but one; the plan is kept beside the scene" : why);
  }
  drawResults(context);
  ImGui::TreePop();
}

}  // namespace

std::vector<std::string> settingsWith(const std::vector<Parameter>& parameters, const std::string& changed,
                                      double value) {
  std::vector<std::string> settings;
  for (const Parameter& one : parameters) {
    const double wanted = one.name == changed ? value : one.value;
    if (wanted != one.defaultValue) settings.push_back(fmt::format("{}={}", one.name, wanted));
  }
  return settings;
}

void drawParameters(PanelContext& context) {
  const content::Scene& scene = *context.sceneView.scene;
  ParameterView& view = context.state.parameters;
  if (view.scene != scene.file) {
    const StudyStatus study = view.study;  // may still run
    view = {};
    view.scene = scene.file;
    view.study = study;
  }
  if (scene.parameters.empty()) {
    ImGui::TextDisabled("The scene has no \"parameters\"");
    return;
  }
  for (const Parameter& one : scene.parameters) drawSlider(context, one);
  const bool isDefault = settingsWith(scene.parameters).empty();
  ImGui::BeginDisabled(isDefault);
  if (ImGui::SmallButton("Defaults")) view.settings.emplace();
  mark(context, "default parameters");
  tip("The values in the scene file");
  if (context.isArranged) {
    ImGui::SameLine();
    if (ImGui::SmallButton("Keep as defaults")) view.keepAsDefaults = true;
    mark(context, "keep parameters");
    tip("Writes these values into the scene file");
  }
  ImGui::EndDisabled();
  drawStudy(context);
}

}  // namespace tenon::runtime
