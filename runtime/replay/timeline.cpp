// The time line with grasps, events and the current time, and the event list.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "runtime/live_view/panel_layout.h"
#include "runtime/replay/replay_panels.h"
#include "xr/display/ui_color.h"

namespace tenon::runtime {

namespace {

namespace palette = xr::palette;

constexpr ImU32 kTrackColor = xr::drawColor(palette::kWell), kRulerColor = xr::drawColor(palette::kFaint),
                kHeldColor = xr::drawColor(palette::kHeldFill), kCursorColor = xr::drawColor(palette::kText),
                kCutOffColor = xr::drawColor(palette::kBadText);

/// Kinds of events that have a color and a symbol in common.
enum class EventGroup { seated, failed, bookmark, undo, other };

EventGroup groupOf(const std::string& kind) {
  if (kind == "seated") return EventGroup::seated;
  if (kind == "jam" || kind == "lost" || kind == "not-converged" || kind == "failed")
    return EventGroup::failed;
  if (kind == "bookmark" || kind == "note") return EventGroup::bookmark;
  if (kind == "undo" || kind == "redo" || kind == "reset") return EventGroup::undo;
  return EventGroup::other;
}

ImU32 eventColor(EventGroup group) {
  constexpr std::array kColors{palette::kGoodText, palette::kBadText, palette::kCautionText,
                               palette::kUndoText, palette::kFaint};
  return xr::drawColor(kColors[static_cast<std::size_t>(group)]);
}

/// Above the line of an event: a disk if seated, a square if it failed, a diamond for bookmarks and notes, a
/// triangle to the left for undo.
void drawSymbol(ImDrawList& list, EventGroup group, ImVec2 at, float half) {
  const ImU32 color = eventColor(group);
  const ImVec2 left(at.x - half, at.y), right(at.x + half, at.y), top(at.x, at.y - half),
      bottom(at.x, at.y + half);
  switch (group) {
    case EventGroup::seated:
      return list.AddCircleFilled(at, half, color);
    case EventGroup::failed:
      return list.AddRectFilled({left.x, top.y}, {right.x, bottom.y}, color);
    case EventGroup::bookmark:
      return list.AddQuadFilled({at.x - 1.3f * half, at.y}, {at.x, at.y - 1.3f * half},
                                {at.x + 1.3f * half, at.y}, {at.x, at.y + 1.3f * half}, color);
    case EventGroup::undo:
      return list.AddTriangleFilled(left, {right.x, top.y}, {right.x, bottom.y}, color);
    case EventGroup::other:
      return;
  }
}

/// Spacing of the labels: 1, 2 or 5 times a power of ten [s].
double rulerStep(double length, float width) {
  const double least = length * 70 / std::max(width, 1.0f);
  const double power = std::pow(10, std::floor(std::log10(std::max(least, 1e-9))));
  for (const double times : {1.0, 2.0, 5.0})
    if (times * power >= least) return times * power;
  return 10 * power;
}

/// The pixels of the time line.
struct Track {
  ImDrawList& list;
  ImVec2 low, high;  ///< corners
  double length;     ///< [s]

  float at(double time) const {
    return low.x + static_cast<float>(std::clamp(time / length, 0.0, 1.0)) * (high.x - low.x);
  }
};

void drawRuler(const Track& track, float top) {
  const double step = rulerStep(track.length, track.high.x - track.low.x);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  for (int k = 0; k * step <= track.length; ++k) {
    const std::string text = fmt::format("{:.{}f}", k * step, decimals);
    const float x = track.at(k * step);
    track.list.AddLine({x, top}, {x, top + 4}, kRulerColor);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const float left = std::clamp(x - width / 2, track.low.x, std::max(track.high.x - width, track.low.x));
    track.list.AddText({left, top + 4}, kRulerColor, text.c_str());
  }
}

void drawHolds(const Track& track, const ReplayView& replay) {
  const std::size_t rows = std::max<std::size_t>(replay.hands.size(), 1);
  const float height = (track.high.y - track.low.y) / static_cast<float>(rows);
  for (const ShownHold& hold : replay.holds) {
    if (hold.hand < 0 || hold.hand >= static_cast<int>(rows)) continue;
    const float top = track.low.y + static_cast<float>(hold.hand) * height;
    const float left = track.at(hold.from), right = std::max(track.at(hold.to), left + 1);
    track.list.AddRectFilled({left, top + 1}, {right, top + height - 1}, kHeldColor, 2);
    if (right - left > ImGui::CalcTextSize(hold.part.c_str()).x + 6 && height >= ImGui::GetFontSize())
      track.list.AddText({left + 3, top + (height - ImGui::GetFontSize()) / 2}, kCursorColor,
                         hold.part.c_str());
  }
}

void drawEventMarks(const Track& track, const ReplayView& replay, float scale) {
  struct Mark {
    float x;
    EventGroup group;
  };
  // At most one per pixel; colored marks last, on top of the others.
  for (const bool colored : {false, true}) {
    std::vector<Mark> marks;
    for (const ShownEvent& event : replay.playback.events()) {
      const EventGroup group = groupOf(event.kind);
      if (event.isContact || (group != EventGroup::other) != colored) continue;
      const float x = track.at(event.time);
      if (marks.empty() || x - marks.back().x >= 1) marks.push_back({x, group});
    }
    const float width = colored ? 2.0f : 1.0f;
    for (const Mark& mark : marks)
      track.list.AddLine({mark.x, track.low.y}, {mark.x, track.high.y}, kTrackColor, width + 2);
    for (const Mark& mark : marks) {
      track.list.AddLine({mark.x, track.low.y - 2}, {mark.x, track.high.y + 2}, eventColor(mark.group),
                         width);
      drawSymbol(track.list, mark.group, {mark.x, track.low.y - 3}, 3.5f * scale);
    }
  }
}

void drawCursor(const Track& track, double time) {
  const float x = track.at(time);
  track.list.AddLine({x, track.low.y - 3}, {x, track.high.y + 3}, kCursorColor, 2);
  track.list.AddTriangleFilled({x - 5, track.low.y - 8}, {x + 5, track.low.y - 8}, {x, track.low.y - 1},
                               kCursorColor);
}

}  // namespace

void drawTimeline(PanelContext& context, ReplayView& replay) {
  const auto scale = static_cast<float>(context.scale);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, 1.0f), height = 34 * scale;
  ImGui::InvisibleButton("track", {width, height + 12 * scale});
  mark(context, "time line");
  const Track track{*ImGui::GetWindowDrawList(),
                    {corner.x, corner.y + 9 * scale},
                    {corner.x + width, corner.y + 9 * scale + height},
                    std::max(replay.playback.length(), 1e-9)};
  replay.scrubbing = ImGui::IsItemActive();
  const double mouseTime =
      std::clamp((ImGui::GetIO().MousePos.x - corner.x) / width, 0.0f, 1.0f) * track.length;
  if (replay.scrubbing) replay.goTo = mouseTime;
  if (ImGui::IsItemHovered() && !replay.scrubbing) ImGui::SetTooltip("%.3f s", mouseTime);
  track.list.AddRectFilled(track.low, track.high, kTrackColor, 3);
  drawHolds(track, replay);
  if (replay.cutOff) track.list.AddLine({track.high.x, track.low.y}, track.high, kCutOffColor, 4);
  drawEventMarks(track, replay, scale);
  drawRuler(track, track.high.y + 3);
  drawCursor(track, replay.playback.time());
}

void drawReplayEvents(PanelContext& context, ReplayView& replay) {
  Playback& playback = replay.playback;
  bool showContacts = playback.showsContacts();
  if (ImGui::Checkbox("Show contacts", &showContacts)) playback.setShowContacts(showContacts);
  mark(context, "touches");
  const std::int64_t current = playback.currentEvent();
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < playback.events().size(); ++k)
    if (showContacts || !playback.events()[k].isContact) shown.push_back(k);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  if (ImGui::BeginChild("events", {0, 9.5f * line})) {
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(shown.size()));
    while (clipper.Step())
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
        const std::size_t k = shown[static_cast<std::size_t>(row)];
        const ShownEvent& event = playback.events()[k];
        ImGui::PushID(row);
        ImGui::PushStyleColor(ImGuiCol_Text, eventColor(groupOf(event.kind)));
        if (ImGui::Selectable(fmt::format("{:9.3f} s  {}", event.time, labelOf(event.text)).c_str(),
                              static_cast<std::int64_t>(k) == current)) {
          replay.goTo = event.time;
          playback.play(false);
        }
        ImGui::PopStyleColor();
        mark(context, fmt::format("event {}", k).c_str());
        ImGui::PopID();
      }
    // Keeps the current event visible while playing.
    if (playback.isPlaying() && current >= 0) {
      const auto row =
          std::lower_bound(shown.begin(), shown.end(), static_cast<std::size_t>(current)) - shown.begin();
      ImGui::SetScrollY(std::max(0.0f, (static_cast<float>(row) - 4) * line));
    }
    if (shown.empty()) ImGui::TextDisabled("No events");
  }
  ImGui::EndChild();
}

}  // namespace tenon::runtime
