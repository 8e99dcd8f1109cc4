// One font, and the colors of the palette.
#include "xr/display/ui_style.h"

#include <imgui.h>

#include <cmath>

#include "xr/display/ui_color.h"

extern "C" const unsigned char tenonFontBegin[], tenonFontEnd[];

namespace tenon::xr {

namespace {

/// Latin, Greek, superscripts, arrows and mathematical symbols used in texts; all in DejaVu Sans.
constexpr ImWchar kGlyphs[] = {0x20,   0xff,   0x370,  0x3ff,  0x2010, 0x2027, 0x2100, 0x214f, 0x2070,
                               0x209f, 0x2190, 0x21ff, 0x2200, 0x22ff, 0x2318, 0x2328, 0x23e9, 0x23fa,
                               0x25a0, 0x25ff, 0x2600, 0x2605, 0x2713, 0x2717, 0};

void makeFont(double pixels) {
  ImGuiIO& io = ImGui::GetIO();
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = 2;
  config.OversampleV = 1;
  // Dear ImGui modifies the bytes only if it owns them.
  io.Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(tenonFontBegin),
                                 static_cast<int>(tenonFontEnd - tenonFontBegin),
                                 static_cast<float>(std::round(pixels)), &config, kGlyphs);
  io.Fonts->Build();
}

void setColors(ImGuiStyle& style) {
  using namespace palette;
  ImVec4* const c = style.Colors;
  c[ImGuiCol_Text] = uiColor(kText);
  c[ImGuiCol_TextDisabled] = uiColor(kFaint);
  c[ImGuiCol_WindowBg] = c[ImGuiCol_PopupBg] = c[ImGuiCol_MenuBarBg] = uiColor(kPanel);
  c[ImGuiCol_ChildBg] = c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_Border] = uiColor(kEdge);
  c[ImGuiCol_Separator] = uiColor(kRule);
  // The same under the mouse: handles of sliders keep their contrast.
  c[ImGuiCol_FrameBg] = c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = uiColor(kWell);
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = uiColor(kRaised);
  c[ImGuiCol_ScrollbarGrab] = uiColor(kEdge);
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = uiColor(kFaint);
  c[ImGuiCol_CheckMark] = c[ImGuiCol_PlotLines] = uiColor(kAccent);
  c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = uiColor(kHeldFill);
  c[ImGuiCol_Button] = uiColor(kRaised);
  c[ImGuiCol_ButtonHovered] = c[ImGuiCol_HeaderHovered] = uiColor(kHovered);
  c[ImGuiCol_ButtonActive] = c[ImGuiCol_Header] = c[ImGuiCol_HeaderActive] = c[ImGuiCol_TextSelectedBg] =
      uiColor(kChosen);
}

}  // namespace

void applyUiStyle(double scale) {
  makeFont(kTextHeight * scale);
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  setColors(style);
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.ScrollbarSize = 11;
  style.GrabMinSize = 11;
  style.WindowRounding = style.PopupRounding = 6;
  style.FrameRounding = style.GrabRounding = style.ScrollbarRounding = 4;
  style.WindowBorderSize = 0;
  style.FrameBorderSize = 1;
  style.DisabledAlpha = 0.7f;
  style.ScaleAllSizes(static_cast<float>(scale));
}

}  // namespace tenon::xr
