// Numbers with units for texts, with a suitable unit and number of digits.
#pragma once

#include <cstdint>
#include <string>

#include "content/input/wording.h"

namespace tenon::runtime {

using content::smallLengthText;

/// A length [m] in millimeters: "30.000 mm".
std::string millimetersText(double length);

/// An angle [rad] in degrees: "0.012°".
std::string degreesText(double angle);

/// A force [N]: "12.3 N".
std::string forceText(double force);

/// A torque [N m]: "0.12 N m".
std::string torqueText(double torque);

/// A surface stiffness [N/m]: "500 N/µm".
std::string stiffnessText(double stiffness);

/// "1 step", "5 steps".
std::string countText(std::int64_t count, const std::string& what);

/// A mass [kg], in grams below 1 kg: "23.4 g".
std::string massText(double mass);

}  // namespace tenon::runtime
