// Dear ImGui's own plots lack axes and units.
#include "runtime/live_view/plot.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

/// The smallest of 1, 2 or 5 times a power of ten that is at least x.
double roundAbove(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double step : {1.0, 2.0, 5.0, 10.0})
    if (step * power >= x * (1 - 1e-9)) return step * power;
  return x;
}

struct PlotArea {
  ImVec2 low, high;  ///< corners [pixels]
  double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;

  ImVec2 at(double x, double y) const {
    return {low.x + static_cast<float>((x - xLow) / (xHigh - xLow)) * (high.x - low.x),
            high.y - static_cast<float>((y - yLow) / (yHigh - yLow)) * (high.y - low.y)};
  }
};

void drawAxes(ImDrawList& list, const PlotArea& frame, const std::string& xUnit) {
  const ImU32 line = ImGui::GetColorU32(ImGuiCol_Separator), text = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  list.AddRectFilled(frame.low, frame.high, ImGui::GetColorU32(ImGuiCol_FrameBg), 3);
  for (int k = 0; k <= 2; ++k) {
    const double y = frame.yLow + 0.5 * k * (frame.yHigh - frame.yLow);
    const ImVec2 at = frame.at(frame.xLow, y);
    list.AddLine(at, {frame.high.x, at.y}, line);
    const std::string value = fmt::format("{:g}", y);
    const ImVec2 size = ImGui::CalcTextSize(value.c_str());
    list.AddText({frame.low.x - size.x - 5, at.y - 0.5f * size.y}, text, value.c_str());
  }
  const std::string left = fmt::format("{:.4g}", frame.xLow),
                    right = fmt::format("{:.4g} {}", frame.xHigh, xUnit);
  list.AddText({frame.low.x, frame.high.y + 3}, text, left.c_str());
  list.AddText({frame.high.x - ImGui::CalcTextSize(right.c_str()).x, frame.high.y + 3}, text, right.c_str());
}

}  // namespace

void drawPlot(const PlotStyle& style, const std::vector<PlotPoint>& points, const std::string& currentValue) {
  ImGui::TextUnformatted(style.title.c_str());
  ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(currentValue.c_str()).x);
  ImGui::TextUnformatted(currentValue.c_str());
  const float font = ImGui::GetFontSize(), height = style.height * font / 15,
              width = ImGui::GetContentRegionAvail().x;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  double high = style.minRange, low = 0;
  for (const PlotPoint& p : points) {
    high = std::max(high, p.y);
    low = std::min(low, p.y);
  }
  PlotArea frame{{corner.x + 3.2f * font, corner.y + 0.4f * font},
                 {corner.x + width - 2, corner.y + height - 1.3f * font},
                 style.xLow,
                 std::max(style.xHigh, style.xLow + 1e-9),
                 low < 0 ? -roundAbove(-low) : 0,
                 roundAbove(high)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  drawAxes(list, frame, style.xUnit);
  std::vector<ImVec2> line;
  line.reserve(points.size());
  for (const PlotPoint& p : points) line.push_back(frame.at(p.x, p.y));
  list.PushClipRect(frame.low, {frame.high.x, frame.high.y + 1}, true);
  list.AddPolyline(line.data(), static_cast<int>(line.size()), ImGui::GetColorU32(ImGuiCol_PlotLines), 0,
                   1.5f);
  list.PopClipRect();
  ImGui::Dummy({width, height});
}

}  // namespace tenon::runtime
