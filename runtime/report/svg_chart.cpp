// See svg_chart.h. Sizes are in the chart's pixels, which the page scales.
#include "runtime/report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "content/input/printable.h"
#include "content/input/wording.h"

namespace tenon::runtime {

namespace {

constexpr double kChartWidth = 520, kChartHeight = 300;
constexpr double kLeft = 58, kRight = 14, kTop = 30, kBottom = 44;
constexpr std::size_t kMostPoints = 1500;  ///< drawn per curve

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Adds a margin; a single value gets a width, of at least `least`.
  void widen(double least) {
    const double middle = (low + high) / 2,
                 half = std::max({(high - low) * 0.52, 1e-9, std::abs(middle) * 1e-6, least / 2});
    low = middle - half;
    high = middle + half;
  }
};

/// Transforms units to pixels.
struct Axes {
  Range x, y;
  double toX(double value) const {
    return kLeft + (value - x.low) / (x.high - x.low) * (kChartWidth - kLeft - kRight);
  }
  double toY(double value) const {
    return kChartHeight - kBottom - (value - y.low) / (y.high - y.low) * (kChartHeight - kTop - kBottom);
  }
};

Axes axesFor(const Chart& chart) {
  Axes axes;
  for (const Curve& curve : chart.curves)
    for (const auto& [x, y] : curve.points) {
      axes.x.take(x);
      axes.y.take(y);
    }
  for (const Limit& limit : chart.limits) (limit.isVertical ? axes.x : axes.y).take(limit.at);
  axes.x.widen(chart.leastWidth);
  axes.y.widen(chart.leastHeight);
  if (chart.equalScales) {
    const double perX = (axes.x.high - axes.x.low) / (kChartWidth - kLeft - kRight),
                 perY = (axes.y.high - axes.y.low) / (kChartHeight - kTop - kBottom);
    Range& narrow = perX < perY ? axes.x : axes.y;
    const double grow = perX < perY ? perY / perX : perX / perY;
    const double middle = (narrow.low + narrow.high) / 2, half = (narrow.high - narrow.low) / 2 * grow;
    narrow = {middle - half, middle + half};
  }
  return axes;
}

/// Replaces the rounding error of a sum of steps by 0.
std::string numberText(double value, double step) {
  return fmt::format("{:g}", std::round(value / step) * step + 0.0);
}

std::string grid(const Axes& axes) {
  std::string text;
  const auto xs = axisTicks(axes.x.low, axes.x.high), ys = axisTicks(axes.y.low, axes.y.high);
  const auto step = [](const std::vector<double>& t) { return t.size() > 1 ? (t[1] - t[0]) / 10 : 1e-12; };
  for (const double x : xs)
    text += fmt::format(
        "<line class='grid' x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}'/><text class='tick' x='{0:.1f}' "
        "y='{3}' text-anchor='middle'>{4}</text>",
        axes.toX(x), kTop, kChartHeight - kBottom, kChartHeight - kBottom + 15, numberText(x, step(xs)));
  for (const double y : ys)
    text += fmt::format(
        "<line class='grid' x1='{1}' x2='{2}' y1='{0:.1f}' y2='{0:.1f}'/><text class='tick' x='{3}' "
        "y='{4:.1f}' text-anchor='end'>{5}</text>",
        axes.toY(y), kLeft, kChartWidth - kRight, kLeft - 5, axes.toY(y) + 3.5, numberText(y, step(ys)));
  return text;
}

/// Labels stand at the end of the line, towards the middle of the chart.
std::string limitLine(const Limit& limit, const Axes& axes) {
  if (limit.isVertical) {
    const double x = axes.toX(limit.at);
    const bool isRight = x > kChartWidth / 2;
    return fmt::format(
        "<line class='limit' x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}'/><text class='tick' x='{3:.1f}' "
        "y='{4}' text-anchor='{5}'>{6}</text>",
        x, kTop, kChartHeight - kBottom, x + (isRight ? -4 : 4), kTop + 11, isRight ? "end" : "start",
        escapeMarkup(limit.label));
  }
  const double y = axes.toY(limit.at);
  return fmt::format(
      "<line class='limit' x1='{1}' x2='{2}' y1='{0:.1f}' y2='{0:.1f}'/><text class='tick' x='{3}' "
      "y='{4:.1f}'>{5}</text>",
      y, kLeft, kChartWidth - kRight, kLeft + 4, y > kChartHeight / 2 ? y - 4 : y + 12,
      escapeMarkup(limit.label));
}

/// Reduces the points: first, minimum and maximum of each interval.
std::string lineOf(const Curve& curve, const Axes& axes) {
  std::string points;
  const std::size_t stride = std::max<std::size_t>(1, 3 * curve.points.size() / kMostPoints);
  const auto put = [&](std::size_t k) {
    points +=
        fmt::format("{:.1f},{:.1f} ", axes.toX(curve.points[k].first), axes.toY(curve.points[k].second));
  };
  for (std::size_t from = 0; from < curve.points.size(); from += stride) {
    const std::size_t to = std::min(curve.points.size(), from + stride);
    std::size_t least = from, greatest = from;
    for (std::size_t k = from; k < to; ++k) {
      if (curve.points[k].second < curve.points[least].second) least = k;
      if (curve.points[k].second > curve.points[greatest].second) greatest = k;
    }
    put(from);
    if (stride > 1) put(std::min(least, greatest));
    if (stride > 1) put(std::max(least, greatest));
  }
  if (!curve.points.empty() && stride > 1) put(curve.points.size() - 1);
  return fmt::format("<polyline class='curve' points='{}'/>", points);
}

std::string opening(double width, double height, const std::string& title) {
  return fmt::format("<svg viewBox='0 0 {} {}' role='img' aria-label='{}'>", width, height,
                     escapeMarkup(title));
}

/// A mark of a time line around (x, y): colors are not the only difference.
std::string symbolOf(const Mark& mark, double x, double y) {
  const std::string title = fmt::format("<title>{} ({:.3f} s)</title>", escapeMarkup(mark.label), mark.at);
  if (mark.kind == "jam")
    return fmt::format("<rect class='jam' x='{:.1f}' y='{:.1f}' width='9' height='9'>{}</rect>", x - 4.5,
                       y - 4.5, title);
  if (mark.kind == "mark")
    return fmt::format("<path class='mark' d='M{:.1f} {:.1f}l6 6l-6 6l-6 -6z'>{}</path>", x, y - 6, title);
  return fmt::format("<circle class='{}' cx='{:.1f}' cy='{:.1f}' r='5'>{}</circle>", mark.kind, x, y, title);
}

/// Width of the longest row name.
double namesWidth(const std::vector<TimelineRow>& rows) {
  constexpr double kLetter = 6.4, kLeast = 150, kMost = 320;
  std::size_t longest = 0;
  for (const TimelineRow& row : rows) longest = std::max(longest, row.name.size());
  return std::clamp(kLetter * static_cast<double>(longest) + 12, kLeast, kMost);
}

}  // namespace

std::string escapeMarkup(const std::string& text) {
  std::string out;
  for (const char c : content::printable(text, content::LineEndings::preserved)) {
    if (c == '\n')
      out += ' ';
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::vector<double> axisTicks(double low, double high) {
  if (!(high > low)) return {};
  const double raw = (high - low) / 5, power = std::pow(10, std::floor(std::log10(raw)));
  const double step = (raw > 7 * power ? 10 : raw > 3.2 * power ? 5 : raw > 1.4 * power ? 2 : 1) * power;
  std::vector<double> ticks;
  for (double k = std::ceil(low / step); k <= std::floor(high / step); ++k) ticks.push_back(k * step);
  return ticks;
}

std::string svgOf(const Chart& chart) {
  std::string text = opening(kChartWidth, kChartHeight, chart.title);
  text += fmt::format("<text class='head' x='{}' y='17'>{}</text>", kLeft, escapeMarkup(chart.title));
  const bool any =
      std::any_of(chart.curves.begin(), chart.curves.end(), [](const Curve& c) { return !c.points.empty(); });
  if (any) {
    const Axes axes = axesFor(chart);
    text += grid(axes);
    for (const Limit& limit : chart.limits) text += limitLine(limit, axes);
    for (const Curve& curve : chart.curves) text += lineOf(curve, axes);
  } else {
    text += fmt::format("<text class='tick' x='{}' y='{}' text-anchor='middle'>nothing was recorded</text>",
                        kChartWidth / 2, kChartHeight / 2);
  }
  text += fmt::format("<text class='label' x='{}' y='{}' text-anchor='middle'>{}</text>",
                      (kLeft + kChartWidth - kRight) / 2, kChartHeight - 8, escapeMarkup(chart.xLabel));
  const double middle = (kTop + kChartHeight - kBottom) / 2;
  text += fmt::format(
      "<text class='label' x='14' y='{0}' text-anchor='middle' transform='rotate(-90 14 {0})'>{1}</text>",
      middle, escapeMarkup(chart.yLabel));
  return text + "</svg>";
}

std::string svgOf(const std::vector<TimelineRow>& rows, double end) {
  constexpr double kRow = 22, kTime = 720, kBarLetter = 5.8;
  constexpr std::size_t kLeastLetters = 3;  ///< a name shortened further is left out
  const double names = namesWidth(rows);
  const double height = kRow * static_cast<double>(rows.size()) + 34, scale = kTime / std::max(end, 1e-9);
  const auto at = [&](double time) { return names + time * scale; };
  std::string text = opening(names + kTime + kRight, height, "time line");
  for (const double t : axisTicks(0, end))
    text += fmt::format(
        "<line class='grid' x1='{0:.1f}' x2='{0:.1f}' y1='4' y2='{1}'/><text class='tick' x='{0:.1f}' "
        "y='{2}' "
        "text-anchor='middle'>{3:g} s</text>",
        at(t), height - 28, height - 14, t);
  double y = 4;
  for (const TimelineRow& row : rows) {
    text += fmt::format("<text class='label' x='{}' y='{:.1f}' text-anchor='end'>{}</text>", names - 6,
                        y + 14, escapeMarkup(content::oneLine(row.name, 48)));
    for (const Bar& bar : row.bars) {
      const double width = std::max(1.0, (bar.to - bar.from) * scale);
      text += fmt::format(
          "<rect class='bar' x='{:.1f}' y='{:.1f}' width='{:.1f}' height='14'><title>{} ({:.3f} to {:.3f} "
          "s)</title></rect>",
          at(bar.from), y + 3, width, escapeMarkup(bar.label), bar.from, bar.to);
      if (const auto letters = static_cast<std::size_t>(width / kBarLetter); letters >= kLeastLetters)
        text += fmt::format("<text class='inbar' x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>",
                            at(bar.from) + width / 2, y + 13.5,
                            escapeMarkup(content::oneLine(bar.label, letters)));
    }
    for (const Mark& mark : row.marks) text += symbolOf(mark, at(mark.at), y + 10);
    y += kRow;
  }
  return text + "</svg>";
}

}  // namespace tenon::runtime
