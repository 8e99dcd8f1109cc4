// Drawings for the report: curves on axes, and bars along time, as SVG that stands in an HTML page.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tenon::runtime {

/// `text`, which may be from a file, for HTML or SVG: markup escaped, and the rest as content::printable()
/// has it.
std::string escapeMarkup(const std::string& text);

struct Curve {
  std::vector<std::pair<double, double>> points;  ///< in the axes' units
};

struct Chart {
  std::string title, xLabel, yLabel;  ///< labels with units
  std::vector<Curve> curves;
  bool equalScales = false;  ///< a unit is as long on both axes
};

/// Curves with ticks at round numbers. Without a point: an empty frame that says so.
std::string svgOf(const Chart& chart);

struct Bar {
  double from = 0, to = 0;  ///< [s]
  std::string label;
};

struct Mark {
  double at = 0;      ///< [s]
  std::string kind;   ///< class of the mark: "seated", "jam", "contact"
  std::string label;  ///< told where a mouse rests on it
};

struct TimelineRow {
  std::string name;
  std::vector<Bar> bars;
  std::vector<Mark> marks;
};

/// Rows under each other over one axis from 0 to `end` [s].
std::string svgOf(const std::vector<TimelineRow>& rows, double end);

/// Round numbers in [low, high], some five of them.
std::vector<double> axisTicks(double low, double high);

}  // namespace tenon::runtime
