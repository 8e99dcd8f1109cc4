// See palette_css.h.
#include "runtime/report/palette_css.h"

#include <fmt/format.h>

#include "xr/appearance/palette.h"

namespace tenon::runtime {

namespace {

namespace palette = xr::palette;

struct Variable {
  const char* name;
  xr::Color color;
};

constexpr Variable kVariables[] = {{"ink", palette::kInk},
                                   {"soft", palette::kSoft},
                                   {"paper", palette::kPaper},
                                   {"ground", palette::kGround},
                                   {"edge", palette::kLightEdge},
                                   {"line", palette::kLightRule},
                                   {"good", palette::kGood},
                                   {"good-ground", palette::kGoodGround},
                                   {"bad", palette::kBad},
                                   {"bad-ground", palette::kBadGround},
                                   {"wait", palette::kWait},
                                   {"wait-ground", palette::kWaitGround},
                                   {"mark", palette::kMark},
                                   {"blue", palette::kBlue},
                                   {"blue-hovered", palette::kBlueHovered},
                                   {"blue-ground", palette::kBlueGround},
                                   {"contact", palette::kContact},
                                   {"hand", palette::kHand}};

}  // namespace

std::string paletteCss() {
  std::string text = ":root {";
  for (const Variable& variable : kVariables)
    text += fmt::format(" --{}: {};", variable.name, xr::hexOf(variable.color));
  return text + " }\n";
}

}  // namespace tenon::runtime
