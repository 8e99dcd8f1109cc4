// See scale_advice.h.
#include "runtime/vr/scale_advice.h"

#include <algorithm>

namespace tenon::runtime {

std::optional<double> smallestClearance(const SimulationFrame& frame) {
  std::optional<double> smallest;
  for (const GoalResult& goal : frame.goals) {
    if (isReached(goal.verdict) || !goal.fit.known() || goal.fit.isInterference()) continue;
    smallest = std::min(smallest.value_or(goal.fit.clearance()), goal.fit.clearance());
  }
  return smallest;
}

double pixelWidth(const xr::View& eye, int pixels) {
  return Table().distance * (eye.right - eye.left) / std::max(pixels, 1);
}

bool isScaleOffered(std::optional<double> clearance, double scale, double pixel) {
  return clearance && scale < kOfferedScale && scale * *clearance < pixel;
}

}  // namespace tenon::runtime
