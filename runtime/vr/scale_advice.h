// Advice to enlarge a scene whose clearances cannot be seen.
#pragma once

#include <optional>

#include "runtime/simulation/simulation_frame.h"
#include "runtime/vr/room.h"
#include "xr/view.h"

namespace tenon::runtime {

inline constexpr double kOfferedScale = 5;  ///< displayed size of a meter

/// The smallest diametral clearance of the goals that are not reached [m]; none: no goal has a clearance fit.
std::optional<double> smallestClearance(const SimulationFrame& frame);

/// The width of a pixel of an eye at arm's length [m]. `pixels`: of the eye's image.
double pixelWidth(const xr::View& eye, int pixels);

/// True if the clearance is displayed narrower than a pixel, and kOfferedScale would enlarge it.
bool isScaleOffered(std::optional<double> clearance, double scale, double pixel);

}  // namespace tenon::runtime
