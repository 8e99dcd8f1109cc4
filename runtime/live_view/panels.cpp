// Layout: toolbar at the top, status bar at the bottom, column on the right.
#include "runtime/live_view/panels.h"

#include <imgui.h>

#include <algorithm>

#include "runtime/live_view/panel_layout.h"
#include "runtime/live_view/section_handle.h"
#include "runtime/live_view/view_cube.h"

namespace tenon::runtime {

namespace {

void drawColumn(PanelContext& context, float width, float height) {
  const auto scale = static_cast<float>(context.scale);
  placeNext(width - kColumn * scale, kBar * scale, kColumn * scale, height - (kBar + kStatus) * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  if (ImGui::Begin("column", nullptr, kFixed)) {
    section("Goals", context, drawGoals, true);
    section("View", context, drawView, true);
    if (!context.sceneView.scene->parameters.empty()) section("Parameters", context, drawParameters, false);
    if (!context.frame.goals.empty()) section("Plots", context, drawPlots, true);
    section("Events", context, drawEvents, true);
    section("Dynamics", context, drawDynamics, false);
    section("Physics", context, drawPhysics, false);
    section("Developer", context, drawDeveloper, false);
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

void drawBars(PanelContext& context, float width, float height) {
  const auto scale = static_cast<float>(context.scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  placeNext(0, 0, width, kBar * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10 * scale, 8 * scale));
  if (ImGui::Begin("bar", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar)) drawToolbar(context);
  ImGui::End();
  ImGui::PopStyleVar();
  placeNext(0, height - kStatus * scale, width, kStatus * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10 * scale, 5 * scale));
  if (ImGui::Begin("status", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar)) drawStatusBar(context);
  ImGui::End();
  ImGui::PopStyleVar(3);
}

}  // namespace

ImageArea imageAreaBeside(const ViewState& state, double scale, float width, float height) {
  const auto s = static_cast<float>(scale);
  const float right = state.settings.panels ? kColumn * s : 0;
  return {0, kBar * s, std::max(width - right, 1.0f), std::max(height - (kBar + kStatus) * s, 1.0f)};
}

RelativeImageArea shareOf(const ImageArea& area, float width, float height) {
  return {{area.x / width, area.y / height, area.width / width, area.height / height},
          static_cast<double>(area.width) / area.height};
}

void drawViewTools(PanelContext& context, const ImageArea& area) {
  context.state.camera.setOrthographic(context.state.settings.orthographic);
  drawSectionHandle(context, area);
  drawViewCube(context, area);
}

void drawPanels(PanelContext& context) {
  context.state.marks.clear();
  std::fill(context.state.heldThrusters.begin(), context.state.heldThrusters.end(), 0);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (context.state.settings.panels) drawColumn(context, size.x, size.y);
  drawViewTools(context, imageAreaBeside(context.state, context.scale, size.x, size.y));
  drawBars(context, size.x, size.y);
  if (context.state.help) drawHelp(context);
  if (context.state.picker) drawScenePicker(context);
  if (context.state.noteDraft) drawNote(context);
}

void mark(PanelContext& context, const char* name) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  context.state.marks[name] = {low.x, low.y, high.x, high.y};
}

void tip(const std::string& text) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("%s", text.c_str());
}

}  // namespace tenon::runtime
