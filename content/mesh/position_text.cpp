// See place_text.h.
#include "content/mesh/position_text.h"

#include <fmt/format.h>

#include <cmath>

namespace tenon::content {

std::string positionText(const physics::Vector3d& position) {
  const auto micrometres = [](double x) {
    return std::round(x * 1e6) / 1e3 + 0.0;  // no "-0"
  };
  return fmt::format("({:.7g}, {:.7g}, {:.7g}) mm", micrometres(position.x()), micrometres(position.y()),
                     micrometres(position.z()));
}

}  // namespace tenon::content
