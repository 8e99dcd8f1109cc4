// Glyphs are rectangles of two triangles with a piece of the font's texture, as ImFont::RenderText makes
// them.
#include "tests/support/panel_texts.h"

#include <imgui.h>

#include <algorithm>
#include <array>

#include "tests/support/contrast.h"

namespace tenon::tests {

namespace {

constexpr float kLeastHeight = 2;  ///< of a glyph's piece of texture [texels]: lines have less

bool isGlyph(const ImDrawVert& low, const ImDrawVert& high) {
  const auto texels = static_cast<float>(ImGui::GetIO().Fonts->TexHeight);
  return high.pos.x > low.pos.x && high.pos.y > low.pos.y && high.uv.x > low.uv.x &&
         (high.uv.y - low.uv.y) * texels >= kLeastHeight;
}

/// A filled triangle of one color.
struct Filled {
  ImVec2 a, b, c;
  ImVec4 clip;
  ImU32 color;

  bool covers(ImVec2 p) const {
    if (p.x < clip.x || p.y < clip.y || p.x > clip.z || p.y > clip.w) return false;
    const auto side = [&](ImVec2 from, ImVec2 to) {
      return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
    };
    const float u = side(a, b), v = side(b, c), w = side(c, a);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  }
};

xr::Color opaqueOf(ImU32 color) {
  return {static_cast<std::uint8_t>(color >> IM_COL32_R_SHIFT & 0xff),
          static_cast<std::uint8_t>(color >> IM_COL32_G_SHIFT & 0xff),
          static_cast<std::uint8_t>(color >> IM_COL32_B_SHIFT & 0xff)};
}

double opacityOf(ImU32 color) {
  return (color >> IM_COL32_A_SHIFT & 0xff) / 255.0;
}

xr::Color groundAt(ImVec2 point, const std::vector<Filled>& below, xr::Color ground) {
  for (const Filled& one : below)
    if (one.covers(point)) ground = blended(opaqueOf(one.color), opacityOf(one.color), ground);
  return ground;
}

/// Adds the triangle of three vertices if it is filled with one color; softened borders are not.
void addFilled(const std::array<ImDrawVert, 3>& v, const ImVec4& clip, std::vector<Filled>& filled) {
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  for (const ImDrawVert& one : v)
    if (one.col != v[0].col || one.uv.x != white.x || one.uv.y != white.y) return;
  filled.push_back({v[0].pos, v[1].pos, v[2].pos, clip, v[0].col});
}

void addGlyphs(const ImDrawList& list, const ImDrawCmd& command, ImVec2 size, std::vector<Filled>& filled,
               std::vector<Glyph>& glyphs) {
  const ImVec4& clip = command.ClipRect;
  const auto vertexAt = [&](unsigned index) {
    return list.VtxBuffer[static_cast<int>(command.VtxOffset + list.IdxBuffer[static_cast<int>(index)])];
  };
  for (unsigned k = command.IdxOffset; k + 6 <= command.IdxOffset + command.ElemCount;) {
    const auto at = [&](unsigned offset) { return list.IdxBuffer[static_cast<int>(k + offset)]; };
    const unsigned first = at(0);
    const bool rectangle = at(1) == first + 1 && at(2) == first + 2 && at(3) == first && at(4) == first + 2 &&
                           at(5) == first + 3;
    if (!rectangle) {
      addFilled({vertexAt(k), vertexAt(k + 1), vertexAt(k + 2)}, clip, filled);
      k += 3;
      continue;
    }
    for (const unsigned first3 : {k, k + 3})
      addFilled({vertexAt(first3), vertexAt(first3 + 1), vertexAt(first3 + 2)}, clip, filled);
    k += 6;
    const ImDrawVert& low = list.VtxBuffer[static_cast<int>(command.VtxOffset + first)];
    const ImDrawVert& high = list.VtxBuffer[static_cast<int>(command.VtxOffset + first + 2)];
    if (!isGlyph(low, high)) continue;
    const auto groundOf = [&](float share, xr::Color image) {
      return groundAt({low.pos.x + share * (high.pos.x - low.pos.x), 0.5f * (low.pos.y + high.pos.y)}, filled,
                      image);
    };
    constexpr xr::Color black{}, white{255, 255, 255};
    const Glyph glyph{std::max({low.pos.x, clip.x, 0.0f}),
                      std::max({low.pos.y, clip.y, 0.0f}),
                      std::min({high.pos.x, clip.z, size.x}),
                      std::min({high.pos.y, clip.w, size.y}),
                      opaqueOf(low.col),
                      opacityOf(low.col),
                      {groundOf(0.1f, black), groundOf(0.5f, black), groundOf(0.9f, black),
                       groundOf(0.1f, white), groundOf(0.5f, white), groundOf(0.9f, white)},
                      list._OwnerName == nullptr ? "" : list._OwnerName};
    if (glyph.right > glyph.left && glyph.bottom > glyph.top) glyphs.push_back(glyph);
  }
}

}  // namespace

std::vector<Glyph> glyphsOf(const ImDrawData& data) {
  std::vector<Glyph> glyphs;
  std::vector<Filled> filled;
  for (int k = 0; k < data.CmdListsCount; ++k)
    for (const ImDrawCmd& command : data.CmdLists[k]->CmdBuffer)
      addGlyphs(*data.CmdLists[k], command, data.DisplaySize, filled, glyphs);
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
