// Building blocks of the panels: fixed windows beside the image, sections, buttons.
#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <string_view>

#include "runtime/live_view/panels.h"
#include "xr/display/ui_color.h"

namespace tenon::runtime {

inline constexpr float
    kColumn = 344,
    kBar = 42, kStatus = 28;  ///< width of the column, heights of toolbar and status bar [pixels at scale 1]

inline constexpr ImGuiWindowFlags kFixed =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus;

/// Sets position and size of the next ImGui window.
void placeNext(float x, float y, float width, float height);

/// A collapsible section of the column.
void section(const char* title, PanelContext& context, const std::function<void(PanelContext&)>& draw,
             bool open);

/// `text` from a file as the label of a control. Escapes "##", after which ImGui would hide the text.
std::string labelOf(const std::string& text);

/// `text`, shortened with "…" to fit into `width` [pixels].
std::string fitted(const std::string& text, float width);

struct StatusText {
  std::string text;
  ImVec4 color;
};
/// The text of the status bar: a message, and at the right end a figure if it fits.
void drawStatusLine(PanelContext& context, const StatusText& message, const StatusText& figure);

/// Draws a text beside the last control if it fits.
void drawIfFits(const std::string& text);

/// Draws a picture of the sheet (ViewState::pictures) into the window, or a blank rectangle where there is
/// none yet.
void drawPicture(PanelContext& context, const std::string& key, ImVec2 corner, ImVec2 size);

/// Draws buttons as switched on, if `on`, while it exists: with another ground, and an edge in the accent
/// color.
class ButtonState {
 public:
  explicit ButtonState(bool on);
  ~ButtonState();
  ButtonState(const ButtonState&) = delete;
  ButtonState& operator=(const ButtonState&) = delete;

 private:
  bool on_;
};

/// Color of warnings on a panel.
inline ImVec4 warningColor() {
  return xr::uiColor(xr::palette::kCautionText);
}

/// A button that requests an action; its tooltip names `key`. The next control is placed beside it.
void actionButton(PanelContext& context, Action action, std::string_view key, const char* text,
                  const char* name, const std::string& tooltip, bool enabled = true, bool on = false);

}  // namespace tenon::runtime
