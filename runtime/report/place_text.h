// Lengths, angles and depths in explanations of verdicts.
#pragma once

#include <string>

namespace tenon::runtime {

/// A length [m]; up to 0.1 nm, which is rounding, as 0.
std::string lengthText(double length);

/// An angle [rad] in degrees; up to 1e-5° as 0.
std::string angleText(double angle);

/// Of a depth below the mouth [m]: "6.20 mm deep", "12 µm above the mouth".
std::string depthText(double depth);

}  // namespace tenon::runtime
