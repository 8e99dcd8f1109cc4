// The dialog for writing a note.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/live_view/panel_layout.h"

namespace tenon::runtime {

namespace {

constexpr std::size_t kMaxNoteLength = 500;  ///< [bytes]

}  // namespace

void drawNote(PanelContext& context) {
  const float font = ImGui::GetFontSize();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  std::string& text = *context.state.noteDraft;
  std::array<char, kMaxNoteLength + 1> line{};
  std::copy_n(text.begin(), std::min(text.size(), kMaxNoteLength), line.begin());
  ImGui::SetNextWindowPos({0.5f * size.x, 0.4f * size.y}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(38 * font, size.x), 0});
  bool open = true, save = std::exchange(context.state.submitNote, false);
  if (ImGui::Begin(
          "Add note", &open,
          ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings)) {
    // Repeated, because ImGui hides a window in its first frames until its size is known.
    if (!ImGui::IsAnyItemActive()) {
      ImGui::SetKeyboardFocusHere();
      // Characters typed before the field has the focus.
      for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)  // except the key that opened it
        if (!ImGui::IsWindowAppearing() && c >= ' ' && c < 127 && text.size() < kMaxNoteLength)
          text += static_cast<char>(c);
      std::copy_n(text.begin(), text.size(), line.begin());
    }
    ImGui::SetNextItemWidth(-1);
    ImGui::InputText("##note", line.data(), line.size());
    mark(context, "note line");
    text = line.data();
    save = ImGui::Button("Save") || save;
    mark(context, "keep note");
    ImGui::SameLine();
    ImGui::TextDisabled("Enter: save · Esc: cancel");
  }
  ImGui::End();
  if (save && !text.empty()) context.state.note = std::move(text);
  if (save || !open) context.state.noteDraft.reset();
}

}  // namespace tenon::runtime
