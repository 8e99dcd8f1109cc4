// The view panel: forces, section, transparency, measuring.
#include <fmt/format.h>
#include <imgui.h>

#include <array>

#include "runtime/live_view/panels.h"
#include "runtime/live_view/section_handle.h"

namespace tenon::runtime {

namespace {

void toggle(PanelContext& context, const char* text, bool& value, Action action) {
  ImGui::Checkbox(text, &value);
  mark(context, text);
  tip(fmt::format("Key {}", keyNameOf(action)));
}

void drawSection(PanelContext& context) {
  Section& section = context.state.section;
  constexpr std::array kNames{"off", "x", "y", "z"};
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Section");
  for (int k = 0; k < 4; ++k) {
    ImGui::SameLine();
    if (ImGui::RadioButton(kNames[static_cast<std::size_t>(k)], section.axis == k - 1)) {
      section.axis = k - 1;
      section.place_mm = 0;
    }
    mark(context, fmt::format("section {}", kNames[static_cast<std::size_t>(k)]).c_str());
  }
  ImGui::BeginDisabled(section.axis < 0);
  const auto [low, high] = sectionRange(context.sceneView, std::max(section.axis, 0));
  ImGui::SetNextItemWidth(-1);
  ImGui::SliderScalar("##section", ImGuiDataType_Double, &section.place_mm, &low, &high,
                      section.axis < 0 ? "" : "%.1f mm");
  mark(context, "section slider");
  ImGui::EndDisabled();
}

void drawMeasurePanel(PanelContext& context) {
  ViewState& state = context.state;
  ImGui::TextUnformatted("Measure");
  ImGui::SameLine();
  if (state.measured.empty()) {
    ImGui::TextDisabled("Ctrl + click two features");
    return;
  }
  if (ImGui::SmallButton("Clear")) context.state.requestedActions.push_back(Action::clearMeasure);
  ImGui::PushTextWrapPos(0);
  if (state.measurementText.empty()) {
    const xr::PickedFeature& feature = state.measured.front();
    const std::string& part = context.sceneView.scene->part(feature.part).name;
    ImGui::TextDisabled("from %s; Ctrl + click the second feature",
                        (feature.name.empty() ? part : part + "/" + feature.name).c_str());
  } else {
    ImGui::TextUnformatted(state.measurementText.c_str());
  }
  ImGui::PopTextWrapPos();
}

void drawParts(PanelContext& context) {
  if (!ImGui::TreeNode("Transparent parts")) return;
  for (std::size_t k = 0; k < context.sceneView.scene->parts.size(); ++k) {
    if (!context.sceneView.meshes.of(k)) continue;
    bool value = context.sceneView.seeThrough[k];
    ImGui::PushID(static_cast<int>(k));
    if (ImGui::Checkbox(context.sceneView.scene->parts[k].name.c_str(), &value))
      context.sceneView.seeThrough[k] = value;
    ImGui::PopID();
  }
  ImGui::TreePop();
}

}  // namespace

void drawView(PanelContext& context) {
  ViewSettings& settings = context.state.settings;
  toggle(context, "Forces", settings.forces, Action::forces);
  ImGui::SameLine();
  toggle(context, "Contacts", settings.contacts, Action::contacts);
  ImGui::SameLine();
  toggle(context, "Targets", settings.targets, Action::targets);
  toggle(context, "Orthographic", settings.orthographic, Action::projection);
  drawSection(context);
  drawMeasurePanel(context);
  drawParts(context);
}

}  // namespace tenon::runtime
