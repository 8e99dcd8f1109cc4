// Checks whether the dimensions of a part are plausible in its unit.
#pragma once

#include <span>
#include <string>

namespace tenon::content {

/// A warning such as "unit looks like inches …", or "". `extent`: largest side, `diameters`: of round faces,
/// both in the unit of the file; `unit`: "mm", "cm", "m" or "in". A heuristic: typical parts are 0.5 mm to 3
/// m long, and their diameters are round numbers in their unit.
std::string implausibleUnit(double extent, std::span<const double> diameters, const std::string& unit);

}  // namespace tenon::content
