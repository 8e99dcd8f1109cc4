// Holes that a mesh has as prisms: circles of so few facets that they may as well be polygons.
#pragma once

#include <vector>

#include "content/recognize/round_sites.h"
#include "content/recognize/smooth_regions.h"

namespace tenon::content {

/// The holes of seven and more plane facets around an axis, with their corners on one circle, which are open
/// at an end: what holes of a few millimeters mostly are in files for printing. (Of six facets a hole is a
/// socket for a key; with more than thirteen it is recognized as a cylinder.) Their radius is that of the
/// largest circle that fits between the facets. In the order of side names and positions.
std::vector<RoundSite> polygonHoles(const Facets& facets, const std::vector<Region>& regions);

}  // namespace tenon::content
