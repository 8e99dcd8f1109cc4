// Shapes of boxes for the scene files of tests.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <vector>

namespace tenon::tests {

using BoxCorners = std::array<double, 6>;  ///< least x, y, z, then greatest [mm]

/// Boxes from corner to corner as the shape of a part.
inline nlohmann::json boxesShape(const std::vector<BoxCorners>& boxes) {
  nlohmann::json shape = {{"kind", "compound"}};
  for (const auto& [x0, y0, z0, x1, y1, z1] : boxes)
    shape["children"].push_back({{"shape", {{"kind", "box"}, {"size", {x1 - x0, y1 - y0, z1 - z0}}}},
                                 {"position", {0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1)}}});
  return shape;
}

}  // namespace tenon::tests
