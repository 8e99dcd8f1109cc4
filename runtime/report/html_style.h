// Style sheet of the reports, for screen, phone and paper.
#pragma once

#include <string>

namespace tenon::runtime {

/// The rules, after the palette's colors.
std::string styleSheet();

}  // namespace tenon::runtime
