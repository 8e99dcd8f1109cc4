// A line plot with axes, units and values.
#pragma once

#include <string>
#include <vector>

namespace tenon::runtime {

struct PlotPoint {
  double x = 0, y = 0;
};

struct PlotLook {
  std::string title;  ///< with the unit of y: "push [N]"
  std::string xUnit;  ///< written at the end of the axis
  double xLow = 0, xHigh = 1;
  double least = 1e-9;  ///< the y axis goes at least from 0 to here
  float height = 78;    ///< [pixels at scale 1]
};

/// As wide as the panel; `now` is written beside the title.
void drawPlot(const PlotLook& look, const std::vector<PlotPoint>& points, const std::string& now);

}  // namespace tenon::runtime
