// What the panels of every window are made of: fixed places beside the picture, sections, buttons.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <string_view>

#include "runtime/live_view/panels.h"

namespace tenon::runtime {

inline constexpr float kColumn = 344, kBar = 42, kStatus = 28;  ///< of the panels [pixels at scale 1]

inline constexpr ImGuiWindowFlags kFixed =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus;

/// Where the next window of ImGui is.
void placeNext(float x, float y, float width, float height);

/// A part of the column with a title that opens and closes it.
void section(const char* title, PanelContext& context, const std::function<void(PanelContext&)>& draw,
             bool open);

/// `text`, which may be from a file, as the label of a control: of "##" ImGui would hide what comes after it.
std::string labelOf(const std::string& text);

/// As much of a text as fits into a width, with "…" where it does not [pixels].
std::string fitted(const std::string& text, float width);

struct StatusText {
  std::string text;
  ImVec4 color;
};
/// The line of a bar: what is going on, and at the right end, where there is room beside it, a figure.
void drawStatusLine(PanelContext& context, const StatusText& what, const StatusText& figure);

/// Where a bar's next text fits beside the last control, that text; else nothing.
void drawIfFits(const std::string& text);

/// A button that asks for an action; `key` is told in its tip. The next control comes beside it.
void actionButton(PanelContext& context, Action action, std::string_view key, const char* text,
                  const char* name, const std::string& says, bool enabled = true, bool on = false);

}  // namespace tenon::runtime
