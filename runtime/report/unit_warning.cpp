// See unit_warning.h.
#include "runtime/report/unit_warning.h"

#include <fmt/format.h>

#include "content/input/wording.h"
#include "xr/interaction/part_bounds.h"

namespace tenon::runtime {

namespace {

constexpr double kLongest = 10, kShortest = 0.5e-3;  ///< size of parts in manual assembly [m]

bool isInFileUnit(const content::Part& part) {
  return !part.mesh && part.libraryName.empty();
}

std::string warningOf(const content::Scene& scene, const content::Part& part, const std::string& length,
                      const char* meant, const char* unit) {
  return fmt::format("/unit: \"{}\" makes {} {} long; if its numbers are {}, write \"unit\": \"{}\"",
                     scene.unit, content::inQuotes(part.name), length, meant, unit);
}

}  // namespace

std::string unitWarning(const content::Scene& scene) {
  const content::Part* largest = nullptr;
  double length = 0;  // [m]
  for (const content::Part& part : scene.parts) {
    const physics::Vector3d size = xr::boundsOf(part.shape).sizes();
    if (!isInFileUnit(part) || !size.allFinite() || size.maxCoeff() <= length) continue;
    largest = &part;
    length = size.maxCoeff();
  }
  if (largest == nullptr) return "";
  if (length > kLongest && scene.unit != "mm")
    return warningOf(scene, *largest, fmt::format("{:.4g} m", length), "millimetres", "mm");
  if (length < kShortest && scene.unit == "mm")
    return warningOf(scene, *largest, content::smallLengthText(length), "metres", "m");
  return "";
}

}  // namespace tenon::runtime
