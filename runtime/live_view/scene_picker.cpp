// The list of scenes to open: recent files and those that come along, with pictures.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "runtime/live_view/panel_layout.h"
#include "runtime/live_view/thumbnails.h"
#include "xr/display/picture_sheet.h"

namespace tenon::runtime {

namespace {

constexpr float kPictureWidth = 112, kPictureHeight = 84;  ///< [pixels at scale 1]

void drawSceneEntry(PanelContext& context, const SceneEntry& scene, const std::string& markName) {
  ViewState& state = context.state;
  const auto scale = static_cast<float>(context.scale);
  const ImVec2 size(kPictureWidth * scale, kPictureHeight * scale), corner = ImGui::GetCursorScreenPos();
  const std::string name = std::filesystem::path(scene.file).stem().string();
  ImGui::PushID(markName.c_str());
  if (ImGui::Selectable("##scene", scene.file == context.sceneView.scene->file, 0,
                        {size.x, size.y + ImGui::GetTextLineHeight() + 4 * scale})) {
    state.openFile = scene.file;
    state.picker = false;
  }
  mark(context, markName.c_str());
  tip(scene.title.empty() ? labelOf(scene.file) : labelOf(scene.title) + "\n" + labelOf(scene.file));
  ImGui::PopID();
  drawPicture(context, scene.file, corner, size);
  ImGui::GetWindowDrawList()->AddText({corner.x, corner.y + size.y + 2 * scale},
                                      ImGui::GetColorU32(ImGuiCol_Text),
                                      fitted(labelOf(name), size.x).c_str());
}

void drawGrid(PanelContext& context, const std::vector<SceneEntry>& scenes, const std::string& prefix) {
  const float width = kPictureWidth * static_cast<float>(context.scale),
              step = width + ImGui::GetStyle().ItemSpacing.x;
  const auto columns = std::max<std::size_t>(
      1,
      static_cast<std::size_t>((ImGui::GetContentRegionAvail().x + ImGui::GetStyle().ItemSpacing.x) / step));
  for (std::size_t k = 0; k < scenes.size(); ++k) {
    if (k % columns != 0) ImGui::SameLine();
    drawSceneEntry(context, scenes[k], prefix + std::filesystem::path(scenes[k].file).stem().string());
  }
}

}  // namespace

void drawPicture(PanelContext& context, const std::string& key, ImVec2 corner, ImVec2 size) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  const auto cell = context.state.pictures.find(key);
  if (cell == context.state.pictures.end())
    return list.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg), 4);
  const PictureCell& at = cell->second;
  list.AddImage(xr::pictureSheet(), corner, end, {at[0], at[1]}, {at[2], at[3]});
}

void drawScenePicker(PanelContext& context) {
  const auto scale = static_cast<float>(context.scale);
  ViewState& state = context.state;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5f * size.x, 0.5f * size.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(1010 * scale, size.x), std::min(660 * scale, size.y)});
  if (ImGui::Begin("Open a scene", &state.picker,
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::TextDisabled("You can also drop a scene file on the window.");
    ImGui::SameLine();
    if (ImGui::SmallButton("Other file …")) {
      state.browse = true;
      state.picker = false;
    }
    mark(context, "browse");
    ImGui::Spacing();
    if (!state.recent.empty()) {
      ImGui::TextDisabled("Recent");
      drawGrid(context, state.recent, "recent ");
      ImGui::Spacing();
      ImGui::TextDisabled("Scenes that come along");
    }
    if (state.scenes.empty())
      ImGui::TextUnformatted("No folder content/scenes found; name a scene on the command line.");
    drawGrid(context, state.scenes, "");
  }
  ImGui::End();
}

}  // namespace tenon::runtime
