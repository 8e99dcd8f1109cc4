// Glyphs are rectangles of two triangles with a piece of the font's texture, as ImFont::RenderText makes
// them.
#include "tests/support/panel_texts.h"

#include <imgui.h>

#include <algorithm>

namespace tenon::tests {

namespace {

constexpr float kLeastHeight = 2;  ///< of a glyph's piece of texture [texels]: lines have less

bool isGlyph(const ImDrawVert& low, const ImDrawVert& high) {
  const auto texels = static_cast<float>(ImGui::GetIO().Fonts->TexHeight);
  return high.pos.x > low.pos.x && high.pos.y > low.pos.y && high.uv.x > low.uv.x &&
         (high.uv.y - low.uv.y) * texels >= kLeastHeight;
}

void addGlyphs(const ImDrawList& list, const ImDrawCmd& command, ImVec2 size, std::vector<Glyph>& glyphs) {
  const ImVec4& clip = command.ClipRect;
  for (unsigned k = command.IdxOffset; k + 6 <= command.IdxOffset + command.ElemCount;) {
    const auto at = [&](unsigned offset) { return list.IdxBuffer[static_cast<int>(k + offset)]; };
    const unsigned first = at(0);
    const bool rectangle = at(1) == first + 1 && at(2) == first + 2 && at(3) == first && at(4) == first + 2 &&
                           at(5) == first + 3;
    if (!rectangle) {
      k += 3;
      continue;
    }
    k += 6;
    const ImDrawVert& low = list.VtxBuffer[static_cast<int>(command.VtxOffset + first)];
    const ImDrawVert& high = list.VtxBuffer[static_cast<int>(command.VtxOffset + first + 2)];
    if (!isGlyph(low, high)) continue;
    const ImVec4 color = ImGui::ColorConvertU32ToFloat4(low.col);
    const Glyph glyph{std::max({low.pos.x, clip.x, 0.0f}),
                      std::max({low.pos.y, clip.y, 0.0f}),
                      std::min({high.pos.x, clip.z, size.x}),
                      std::min({high.pos.y, clip.w, size.y}),
                      {color.x, color.y, color.z},
                      list._OwnerName == nullptr ? "" : list._OwnerName};
    if (glyph.right > glyph.left && glyph.bottom > glyph.top) glyphs.push_back(glyph);
  }
}

}  // namespace

std::vector<Glyph> glyphsOf(const ImDrawData& data) {
  std::vector<Glyph> glyphs;
  for (int k = 0; k < data.CmdListsCount; ++k)
    for (const ImDrawCmd& command : data.CmdLists[k]->CmdBuffer)
      addGlyphs(*data.CmdLists[k], command, data.DisplaySize, glyphs);
  return glyphs;
}

std::string overprints(const std::vector<Glyph>& glyphs) {
  constexpr float kShare = 0.25f;
  constexpr int kMostTold = 8;
  std::string text;
  int told = 0;
  for (std::size_t a = 0; a < glyphs.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const Glyph &one = glyphs[a], &other = glyphs[b];
      const float width = std::min(one.right, other.right) - std::max(one.left, other.left),
                  height = std::min(one.bottom, other.bottom) - std::max(one.top, other.top);
      if (width <= 0 || height <= 0 || width * height <= kShare * std::min(one.area(), other.area()))
        continue;
      if (++told > kMostTold) continue;
      text += one.window + " over " + other.window + " at (" + std::to_string(one.left) + ", " +
              std::to_string(one.top) + ")\n";
    }
  if (told > kMostTold) text += "and " + std::to_string(told - kMostTold) + " more\n";
  return text;
}

}  // namespace tenon::tests
