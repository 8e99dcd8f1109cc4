// Charts for the report as inline SVG: curves on axes, and bars on a time line.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tenon::runtime {

/// `text`, possibly from a file, for HTML or SVG: markup escaped, the rest escaped as
/// by content::printable().
std::string escapeMarkup(const std::string& text);

struct Curve {
  std::vector<std::pair<double, double>> points;  ///< in the axes' units
};

/// A dashed line across a chart.
struct Limit {
  bool isVertical = false;
  double at = 0;      ///< in the units of its axis
  std::string label;  ///< beside it, or ""
};

struct Chart {
  std::string title, xLabel, yLabel;  ///< labels with units
  std::vector<Curve> curves;
  bool equalScales = false;  ///< the same scale on both axes
  std::vector<Limit> limits{};
  double leastWidth = 0, leastHeight = 0;  ///< of the axes, in their units: what is less is noise
};

/// Curves with ticks at round numbers. Without points: an empty frame with a note.
std::string svgOf(const Chart& chart);

struct Bar {
  double from = 0, to = 0;  ///< [s]
  std::string label;
};

struct Mark {
  double at = 0;  ///< [s]
  std::string
      kind;  ///< class of the mark: "seated" (a disk), "jam" (square), "contact" (ring), "mark" (diamond)
  std::string label;  ///< tooltip
};

struct TimelineRow {
  std::string name;
  std::vector<Bar> bars;
  std::vector<Mark> marks;
};

/// Rows above one axis from 0 to `end` [s].
std::string svgOf(const std::vector<TimelineRow>& rows, double end);

/// Round numbers in [low, high], about five.
std::vector<double> axisTicks(double low, double high);

}  // namespace tenon::runtime
