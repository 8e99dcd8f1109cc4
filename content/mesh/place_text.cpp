// See place_text.h.
#include "content/mesh/place_text.h"

#include <fmt/format.h>

#include <cmath>

namespace tenon::content {

std::string placeText(const physics::Vector3d& place) {
  const auto micrometres = [](double x) {
    return std::round(x * 1e6) / 1e3 + 0.0;  // no "-0"
  };
  return fmt::format("({:.7g}, {:.7g}, {:.7g}) mm", micrometres(place.x()), micrometres(place.y()),
                     micrometres(place.z()));
}

}  // namespace tenon::content
