// The palette as variables of style sheets, for the reports and the web page.
#pragma once

#include <string>

namespace tenon::runtime {

/// `:root { --ink: #rrggbb; … }` with the palette's colors on light grounds.
std::string paletteCss();

}  // namespace tenon::runtime
