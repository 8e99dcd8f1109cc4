// See position_text.h.
#include "content/mesh/position_text.h"

#include <fmt/format.h>

#include <cmath>

namespace tenon::content {

std::string positionText(const physics::Vector3d& position) {
  const auto roundedMillimeters = [](double x) {
    return std::round(x * 1e6) / 1e3 + 0.0;  // no "-0"
  };
  return fmt::format("({:.7g}, {:.7g}, {:.7g}) mm", roundedMillimeters(position.x()),
                     roundedMillimeters(position.y()), roundedMillimeters(position.z()));
}

}  // namespace tenon::content
