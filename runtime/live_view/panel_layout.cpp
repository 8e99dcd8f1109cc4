// Layout helpers on top of Dear ImGui.
#include "runtime/live_view/panel_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "content/input/printable.h"

namespace tenon::runtime {

void placeNext(float x, float y, float width, float height) {
  ImGui::SetNextWindowPos({x, y});
  ImGui::SetNextWindowSize({std::max(width, 1.0f), std::max(height, 1.0f)});
}

void section(const char* title, PanelContext& context, const std::function<void(PanelContext&)>& draw,
             bool open) {
  // The style's color marks selected rows.
  ImGui::PushStyleColor(ImGuiCol_Header, ImGui::GetStyleColorVec4(ImGuiCol_TitleBg));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  const bool shown = ImGui::CollapsingHeader(title, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  mark(context, title);
  if (!shown) return;
  ImGui::Spacing();
  draw(context);
  ImGui::Spacing();
}

std::string labelOf(const std::string& text) {
  std::string label;
  for (const char c : content::printable(text))
    label += c == '#' && label.ends_with('#') ? " #" : std::string(1, c);
  return label;
}

std::string fitted(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  std::string shorter = text;
  while (!shorter.empty()) {
    // Removes whole UTF-8 characters.
    while (!shorter.empty() && (static_cast<unsigned char>(shorter.back()) & 0xc0) == 0x80)
      shorter.pop_back();
    if (!shorter.empty()) shorter.pop_back();
    if (ImGui::CalcTextSize((shorter + "…").c_str()).x <= width) break;
  }
  return shorter + "…";
}

ButtonState::ButtonState(bool on) : on_(on) {
  if (!on_) return;
  ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  ImGui::PushStyleColor(ImGuiCol_Border, xr::uiColor(xr::palette::kAccent));
}
ButtonState::~ButtonState() {
  if (on_) ImGui::PopStyleColor(2);
}

void drawStatusLine(PanelContext& context, const StatusText& message, const StatusText& figure) {
  const float available = ImGui::GetContentRegionAvail().x, start = ImGui::GetCursorPosX(),
              gap = 2 * ImGui::GetFontSize(), width = ImGui::CalcTextSize(figure.text.c_str()).x;
  const bool both = ImGui::CalcTextSize(message.text.c_str()).x + gap + width <= available;
  const std::string shown = fitted(message.text, available);
  ImGui::TextColored(message.color, "%s", shown.c_str());
  mark(context, "status");
  if (shown != message.text) tip(message.text);
  if (!both) return;
  ImGui::SameLine(start + available - width);
  ImGui::TextColored(figure.color, "%s", figure.text.c_str());
  mark(context, "status figure");
}

void drawIfFits(const std::string& text) {
  if (ImGui::CalcTextSize(text.c_str()).x <= ImGui::GetContentRegionAvail().x)
    ImGui::TextDisabled("%s", text.c_str());
}

void actionButton(PanelContext& context, Action action, std::string_view key, const char* text,
                  const char* name, const std::string& tooltip, bool enabled, bool on) {
  {
    const ButtonState style(on);
    ImGui::BeginDisabled(!enabled);
    if (ImGui::Button(text)) context.state.requestedActions.push_back(action);
    ImGui::EndDisabled();
  }
  mark(context, name);
  tip(fmt::format("{} ({})", tooltip, key));
  ImGui::SameLine();
}

}  // namespace tenon::runtime
