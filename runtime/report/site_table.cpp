// See site_table.h.
#include "runtime/report/site_table.h"

#include <fmt/format.h>

#include <cmath>

namespace tenon::runtime {

std::string vectorText(const physics::Vector3d& v) {
  const auto rounded = [](double x) { return std::abs(x) < 1e-9 ? 0.0 : x; };
  return fmt::format("{:.6g} {:.6g} {:.6g}", rounded(v.x()), rounded(v.y()), rounded(v.z()));
}

void SiteTable::add(const SiteRow& site) {
  const auto length = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value * 1e3) : std::string("-");
  };
  constexpr double kRounding = 1e-9;  // [m]
  const physics::Vector3d at = (site.position.array().abs() < kRounding).select(0, site.position);
  isEmpty_ = false;
  const std::string size = site.section[0] > 0
                               ? fmt::format("{:.6g} × {:.6g}", site.section[0] * 1e3, site.section[1] * 1e3)
                               : length(site.diameter);
  table_.add({site.name, site.part, vectorText(at * 1e3), vectorText(site.axis),
              size + (site.isFaceted ? " between facets" : ""),
              length(site.depth) + (site.isThrough ? " through" : "")});
}

}  // namespace tenon::runtime
