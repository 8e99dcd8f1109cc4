// The line in which a note is written.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/live_view/panel_layout.h"

namespace tenon::runtime {

namespace {

constexpr std::size_t kLongest = 500;  ///< [bytes]

}  // namespace

void drawNote(PanelContext& context) {
  const float font = ImGui::GetFontSize();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  std::string& text = *context.state.noteDraft;
  std::array<char, kLongest + 1> line{};
  std::copy_n(text.begin(), std::min(text.size(), kLongest), line.begin());
  ImGui::SetNextWindowPos({0.5f * size.x, 0.4f * size.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(38 * font, size.x), 0});
  bool open = true, keep = std::exchange(context.state.submitNote, false);
  if (ImGui::Begin(
          "Note about this moment", &open,
          ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings)) {
    // Not once: a window whose size is not known yet is not there in its first pictures.
    if (!ImGui::IsAnyItemActive()) {
      ImGui::SetKeyboardFocusHere();
      // What is typed meanwhile is not lost, however long pictures take.
      for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)  // but for the key that opened it
        if (!ImGui::IsWindowAppearing() && c >= ' ' && c < 127 && text.size() < kLongest)
          text += static_cast<char>(c);
      std::copy_n(text.begin(), text.size(), line.begin());
    }
    ImGui::SetNextItemWidth(-1);
    ImGui::InputText("##note", line.data(), line.size());
    mark(context, "note line");
    text = line.data();
    keep = ImGui::Button("Keep") || keep;
    mark(context, "keep note");
    ImGui::SameLine();
    ImGui::TextDisabled("Enter: keep it · Esc: drop it");
  }
  ImGui::End();
  if (keep && !text.empty()) context.state.note = std::move(text);
  if (keep || !open) context.state.noteDraft.reset();
}

}  // namespace tenon::runtime
