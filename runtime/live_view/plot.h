// A line plot with axes, units and values.
#pragma once

#include <string>
#include <vector>

namespace tenon::runtime {

struct PlotPoint {
  double x = 0, y = 0;
};

struct PlotStyle {
  std::string title;  ///< with the unit of y, such as "push [N]"
  std::string xUnit;  ///< written at the end of the axis
  double xLow = 0, xHigh = 1;
  double minRange = 1e-9;  ///< the y axis reaches at least from 0 to this value
  float height = 78;       ///< [pixels at scale 1]
};

/// Draws a plot of the panel's width; `currentValue` is shown beside the title.
void drawPlot(const PlotStyle& style, const std::vector<PlotPoint>& points, const std::string& currentValue);

}  // namespace tenon::runtime
