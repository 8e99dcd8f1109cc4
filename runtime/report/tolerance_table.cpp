// See tolerance_table.h.
#include "runtime/report/tolerance_table.h"

#include <fmt/format.h>

#include <numbers>

#include "runtime/report/significant_text.h"
#include "runtime/report/svg_chart.h"

namespace tenon::runtime {

namespace {

struct Quantity {
  const char *name, *json, *unit;
  double scale;       ///< of the unit in SI units
  double resolution;  ///< of figures, in that unit
};

Quantity quantityOf(ToleranceKind kind) {
  switch (kind) {
    case ToleranceKind::depth:
      return {"Depth", "depth_m", "mm", 1e3, 1e-3};
    case ToleranceKind::tilt:
      return {"Tilt", "tilt_rad", "°", 180 / std::numbers::pi, kAngleResolution_deg};
    case ToleranceKind::across:
      return {"Off its place", "across_m", "mm", 1e3, 1e-3};
    case ToleranceKind::time:
      return {"Seated after", "time_s", "s", 1, 1e-2};
  }
  return {};
}

std::string unitOf(const Quantity& quantity) {
  return (*quantity.unit == 'm' || *quantity.unit == 's' ? " " : "") + std::string(quantity.unit);
}

/// At the end: a depth to its resolution, other figures with three digits.
std::string actualText(double value, const Quantity& quantity, ToleranceKind kind) {
  const double shown = value * quantity.scale;
  if (kind == ToleranceKind::depth) return fmt::format("{:.3f}", shown) + unitOf(quantity);
  return significantText(shown, quantity.resolution) + unitOf(quantity);
}

/// The middle with its tolerance, or the one limit.
std::string allowedText(const ToleranceCheck& check, const Quantity& quantity) {
  const double scale = quantity.scale;
  if (check.least && check.most)
    return fmt::format("{:.6g} ± {:.4g}{}", (*check.least + *check.most) / 2 * scale,
                       (*check.most - *check.least) / 2 * scale, unitOf(quantity));
  return check.most ? fmt::format("at most {:.4g}{}", *check.most * scale, unitOf(quantity))
                    : fmt::format("at least {:.4g}{}", *check.least * scale, unitOf(quantity));
}

}  // namespace

const char* jsonNameOf(ToleranceKind kind) {
  return quantityOf(kind).json;
}

std::string toleranceTable(std::span<const ToleranceCheck> checks) {
  std::string text =
      "<table class='tolerances'><tr><th>Tolerance</th><th>At the "
      "end</th><th>Allowed</th><th>Result</th></tr>";
  for (const ToleranceCheck& check : checks) {
    const Quantity quantity = quantityOf(check.kind);
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td class='{}'>{}</td></tr>", quantity.name,
        check.actual ? escapeMarkup(actualText(*check.actual, quantity, check.kind)) : "never",
        allowedText(check, quantity), check.passes ? "good" : "bad", check.passes ? "pass" : "fail");
  }
  return text + "</table>";
}

}  // namespace tenon::runtime
