// See panel_ui.h.
#include "xr/display/panel_ui.h"

#include <imgui.h>

#include <algorithm>
#include <cfloat>

#include "xr/display/ui_style.h"

namespace tenon::xr {

PanelUi::PanelUi(int width, int height, double scale) : width_(width), height_(height) {
  IMGUI_CHECKVERSION();
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  applyUiStyle(scale);
}

PanelUi::~PanelUi() {
  ImGui::DestroyContext(context_);
}

void PanelUi::begin(const PanelPointer& pointer, double seconds) {
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = static_cast<float>(std::clamp(seconds, 1e-4, 0.1));
  // A pointer that leaves the panels is released outside, so the pressed button is not activated.
  io.MousePos = pointer.at ? ImVec2(static_cast<float>(pointer.at->x()), static_cast<float>(pointer.at->y()))
                           : ImVec2(-FLT_MAX, -FLT_MAX);
  io.MouseDown[0] = pointer.at && pointer.pressed;
  ImGui::NewFrame();
}

const ImDrawData& PanelUi::end() {
  ImGui::Render();
  return *ImGui::GetDrawData();
}

}  // namespace tenon::xr
