// See site_table.h.
#include "runtime/report/site_table.h"

#include <fmt/format.h>

#include <cmath>

namespace tenon::runtime {

std::string vectorText(const physics::Vector3d& v) {
  const auto rounded = [](double x) { return std::abs(x) < 1e-9 ? 0.0 : x; };
  return fmt::format("{:.6g} {:.6g} {:.6g}", rounded(v.x()), rounded(v.y()), rounded(v.z()));
}

void SiteTable::add(const std::string& name, const std::string& part, const physics::Vector3d& position,
                    const physics::Vector3d& axis, const std::optional<double>& diameter,
                    const std::optional<double>& depth, bool isThrough) {
  const auto length = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value * 1e3) : std::string("-");
  };
  constexpr double kRounding = 1e-9;  // [m]
  const physics::Vector3d at = (position.array().abs() < kRounding).select(0, position);
  isEmpty_ = false;
  table_.add({name, part, vectorText(at * 1e3), vectorText(axis), length(diameter),
              length(depth) + (isThrough ? " through" : "")});
}

}  // namespace tenon::runtime
