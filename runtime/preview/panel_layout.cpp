// See panel_layout.h.
#include "runtime/preview/panel_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "content/scene/printable.h"

namespace tenon::runtime {

void placeNext(float x, float y, float width, float height) {
  ImGui::SetNextWindowPos({x, y});
  ImGui::SetNextWindowSize({std::max(width, 1.0f), std::max(height, 1.0f)});
}

void section(const char* title, PanelContext& context, const std::function<void(PanelContext&)>& draw,
             bool open) {
  if (ImGui::CollapsingHeader(title, open ? ImGuiTreeNodeFlags_DefaultOpen : 0)) {
    ImGui::Spacing();
    draw(context);
    ImGui::Spacing();
  }
  mark(context, title);
}

std::string labelOf(const std::string& text) {
  std::string label;
  for (const char c : content::printable(text))
    label += c == '#' && label.ends_with('#') ? " #" : std::string(1, c);
  return label;
}

void actionButton(PanelContext& context, Action action, std::string_view key, const char* text,
                  const char* name, const std::string& says, bool enabled, bool on) {
  if (on) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  ImGui::BeginDisabled(!enabled);
  if (ImGui::Button(text)) context.state.asked.push_back(action);
  ImGui::EndDisabled();
  if (on) ImGui::PopStyleColor();
  mark(context, name);
  tip(fmt::format("{} ({})", says, key));
  ImGui::SameLine();
}

}  // namespace tenon::runtime
