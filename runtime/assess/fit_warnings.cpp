// Warnings of goals' pairs: see fit_warnings.h.
#include "runtime/assess/fit_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/assess/insertion_fit.h"
#include "runtime/assess/units_text.h"

namespace tenon::runtime {

namespace {

/// Below this a length is none: rounding of a file's decimal numbers [m].
constexpr double kNone = 1e-9;
/// A part that is longer than its hole by more of the hole's depth is meant to stand out, or to go through
/// other parts before; by less it was meant to seat.
constexpr double kNearlySeated = 0.1;

const content::Part& partOf(const content::Scene& scene, int part) {
  return scene.parts[static_cast<std::size_t>(part)];
}

std::string clearanceWarning(const content::Goal& goal, const InsertionFit& fit) {
  const std::string pair =
      fmt::format("Ø {:.3f} pin in Ø {:.3f} bore: ", 2e3 * fit.pegRadius, 2e3 * fit.boreRadius);
  const double clearance = fit.clearance();
  if (std::abs(clearance) < kNone) {
    return pair + (goal.fit ? fmt::format("zero clearance by its fit {}; it goes in only without any tilt",
                                          goal.fit->text)
                            : "zero clearance; give a fit");
  }
  if (clearance < 0 && std::isinf(fit.stiffness))
    return pair + fmt::format(
                      "interference of {} and rigid materials; give a fit, or the pair of materials a "
                      "stiffness_n_per_m",
                      smallLengthText(-clearance));
  return "";
}

std::string lengthWarning(const content::Scene& scene, const content::Goal& goal, const InsertionFit& fit) {
  if (fit.through || fit.hole.empty()) return "";
  const content::Part& part = partOf(scene, goal.part);
  const double depth = fit.hole.back().x();
  const bool hasHead = std::isfinite(fit.head);
  const double length =
      hasHead ? fit.head : lengthBehind(part, part.features[static_cast<std::size_t>(goal.feature)]);
  const double excess = length - depth;
  if (!(excess > kNone) || excess > kNearlySeated * depth) return "";
  return fmt::format("peg {:.6g} mm longer than the blind hole: {}", excess * 1e3,
                     hasHead ? "its head cannot seat" : "it stands out by that much");
}

}  // namespace

std::vector<std::string> fitWarnings(const content::Scene& scene) {
  std::vector<std::string> warnings;
  for (const content::Goal& goal : scene.goals) {
    const InsertionFit fit = insertionFitOf(scene, goal);
    const std::string pair = fmt::format("{} into {}/{}: ", partOf(scene, goal.part).name,
                                         partOf(scene, goal.into).name, goal.hole);
    for (const std::string& text :
         {fit.known() ? clearanceWarning(goal, fit) : std::string(), lengthWarning(scene, goal, fit)})
      if (!text.empty()) warnings.push_back(pair + text);
  }
  return warnings;
}

}  // namespace tenon::runtime
