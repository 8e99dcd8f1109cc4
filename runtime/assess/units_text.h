// Numbers as an engineer reads them: a fitting unit and a sensible number of digits.
#pragma once

#include <string>

namespace tenon::runtime {

/// A small length [m] in nm, µm or mm, three significant digits: "0", "0.42 nm", "12.3 µm".
std::string smallLengthText(double length);

/// A length [m] in millimetres: "30.000 mm".
std::string millimetresText(double length);

/// An angle [rad] in degrees: "0.012°".
std::string degreesText(double angle);

/// A force [N]: "12.3 N".
std::string forceText(double force);

/// A mass [kg], in grams below 1 kg: "23.4 g".
std::string massText(double mass);

}  // namespace tenon::runtime
