// One font; slate colors with one accent.
#include "xr/display/ui_style.h"

#include <imgui.h>

#include <cmath>

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
  const ImVec4 ink(0.90f, 0.92f, 0.94f, 1), faint(0.58f, 0.63f, 0.69f, 1), panel(0.125f, 0.145f, 0.170f, 1),
      well(0.085f, 0.100f, 0.120f, 1), raised(0.195f, 0.225f, 0.265f, 1), lifted(0.250f, 0.290f, 0.340f, 1),
      line(0.26f, 0.30f, 0.35f, 1), accent(0.25f, 0.58f, 0.88f, 1), accentLow(0.20f, 0.42f, 0.62f, 1);
  ImVec4* const c = style.Colors;
  c[ImGuiCol_Text] = ink;
  c[ImGuiCol_TextDisabled] = faint;
  c[ImGuiCol_WindowBg] = c[ImGuiCol_PopupBg] = panel;
  c[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_Border] = c[ImGuiCol_Separator] = line;
  c[ImGuiCol_FrameBg] = well;
  c[ImGuiCol_FrameBgHovered] = raised;
  c[ImGuiCol_FrameBgActive] = lifted;
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = raised;
  c[ImGuiCol_MenuBarBg] = panel;
  c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_ScrollbarGrab] = raised;
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = lifted;
  c[ImGuiCol_CheckMark] = c[ImGuiCol_SliderGrab] = accent;
  c[ImGuiCol_SliderGrabActive] = ImVec4(0.40f, 0.70f, 0.97f, 1);
  c[ImGuiCol_Button] = raised;
  c[ImGuiCol_ButtonHovered] = lifted;
  c[ImGuiCol_ButtonActive] = accentLow;
  c[ImGuiCol_Header] = raised;
  c[ImGuiCol_HeaderHovered] = lifted;
  c[ImGuiCol_HeaderActive] = accentLow;
  c[ImGuiCol_PlotLines] = accent;
  c[ImGuiCol_TextSelectedBg] = accentLow;
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
  style.FrameBorderSize = 0;
  style.ScaleAllSizes(static_cast<float>(scale));
}

}  // namespace tenon::xr
