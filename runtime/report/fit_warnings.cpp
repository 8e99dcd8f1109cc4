// Warnings of goals' pairs: see fit_warnings.h.
#include "runtime/report/fit_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "content/parts/read_thread.h"
#include "content/parts/tapped_wall.h"
#include "content/parts/thread_pair.h"
#include "runtime/assess/insertion_fit.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

/// Smaller lengths count as zero: rounding of a file's decimal numbers [m].
constexpr double kNone = 1e-9;
/// A part that is longer than its hole by more of the hole's depth is meant to stand out, or to go through
/// other parts before; by less it was meant to seat.
constexpr double kNearlySeated = 0.1;

/// Interference relative to the diameter above that of any press fit: the tightest of ISO 286 have about 1 %.
constexpr double kTightest = 0.02;

const content::Part& partOf(const content::Scene& scene, int part) {
  return scene.part(part);
}

/// Largest force of the hands that grasp the goal's part or the one with the hole; of all hands if no script
/// grasps either [N].
double pushOf(const content::Scene& scene, const content::Goal& goal) {
  double all = 0, grabbing = 0;
  for (const content::Hand& hand : scene.hands) {
    all += hand.parameters.maxForce;
    if (std::any_of(hand.script.begin(), hand.script.end(), [&](const content::Waypoint& waypoint) {
          return waypoint.grab == goal.part || waypoint.grab == goal.into;
        }))
      grabbing += hand.parameters.maxForce;
  }
  return grabbing > 0 ? grabbing : all;
}

/// Warning for an interference fit of compliant materials.
std::string pressWarning(const content::Scene& scene, const content::Goal& goal, const InsertionFit& fit) {
  const double interference = -fit.clearance();
  if (fit.captureRadius() < -kNone)
    return fmt::format(
        "interference of {} without a lead-in: the end of Ø {:.3f} rests on the mouth of Ø {:.3f}; give the "
        "hole or the pin a chamfer",
        smallLengthText(interference), 2e3 * fit.tipRadius, 2e3 * fit.leadInRadius);
  if (interference > kTightest * 2 * fit.boreRadius)
    return fmt::format(
        "interference of {}, {:.3g} % of the diameter, while press fits have 1 % at most; make the pin "
        "thinner or the hole wider",
        smallLengthText(interference), 100 * interference / (2 * fit.boreRadius));
  const double friction =
      content::materialPairOf(scene, partOf(scene, goal.part), partOf(scene, goal.into)).friction;
  // Sliding force of the overlap, of elastic materials at the goal's depth: content/scenes/press-fit.json.
  const double needed = friction * fit.stiffness * interference / 2, push = pushOf(scene, goal);
  if (push > 0 && needed > push)
    return fmt::format(
        "interference of {}: pushing it in takes {} or more, the hands have {}; give them a larger "
        "max_force_n, or the pair less interference, friction or stiffness",
        smallLengthText(interference), forceText(needed), forceText(push));
  return "";
}

std::string interferenceWarning(const InsertionFit& fit, double clearance) {
  const std::string text =
      fmt::format("interference of {} and rigid materials; ", smallLengthText(-clearance));
  if (-clearance > kTightest * 2 * fit.boreRadius)
    return text + fmt::format("make the pin narrower than Ø {0:.6g} or the bore wider than Ø {1:.6g}",
                              2e3 * fit.boreRadius, 2e3 * fit.pegRadius);
  return text +
         "give both the same diameter and the goal a \"fit\", or the pair of materials a "
         "\"stiffness_n_per_m\" or one of them \"youngs_modulus_gpa\" to press it in";
}

/// Of a screw in a plain hole that may be that of a tap drill, or drawn with less than the nominal diameter.
std::string plainHoleWarning(const content::Scene& scene, const content::Goal& goal,
                             const InsertionFit& fit) {
  const auto thread = content::externalThreadOf(scene, goal);
  if (!thread || content::threadPairOf(scene, goal)) return "";
  const double nominal = thread->pitchDiameter + 0.75 * physics::threadTriangleHeight(thread->pitch);
  if (2 * fit.boreRadius < content::leastCore(nominal, thread->pitch)) return "";
  return fmt::format(
      "{} in a plain hole of Ø {:.3f}; give the hole a thread: \"thread\" in the hole of a block or library "
      "part, \"holes\" in the shape of a mesh or STEP file",
      content::threadText(*thread), 2e3 * fit.boreRadius);
}

std::string clearanceWarning(const content::Scene& scene, const content::Goal& goal,
                             const InsertionFit& fit) {
  const std::string pair =
      fmt::format("Ø {:.3f} pin in Ø {:.3f} bore: ", 2e3 * fit.pegRadius, 2e3 * fit.boreRadius);
  const double clearance = fit.clearance();
  if (std::abs(clearance) < kNone) {
    constexpr const char* kRemedy = "\"fit\": \"H7/g6\" or {\"clearance_um\": 20}";
    return pair + (goal.fit
                       ? fmt::format("zero clearance by its fit {}, so it goes in only without any tilt; "
                                     "for clearance give the goal {}",
                                     goal.fit->text, kRemedy)
                       : fmt::format("zero clearance; give the goal {}", kRemedy));
  }
  if (clearance > 0) return "";
  if (std::string plain = plainHoleWarning(scene, goal, fit); !plain.empty()) return plain;
  if (std::isinf(fit.stiffness)) return pair + interferenceWarning(fit, clearance);
  const std::string press = pressWarning(scene, goal, fit);
  return press.empty() ? "" : pair + press;
}

/// Of walls without clearance by their fit, or that the materials cannot overcome.
std::string wallWarning(const content::Goal& goal, const InsertionFit& fit) {
  if (!fit.wallClearance || *fit.wallClearance > kNone) return "";
  if (*fit.wallClearance > -kNone)
    return fmt::format(
        "walls without clearance by the fit {}, so it goes in only without any tilt; for clearance give the "
        "goal \"fit\": \"H7/g6\" or {{\"clearance_um\": 20}}",
        goal.fit->text);
  return fmt::format(
      "walls with an interference of {}, pressed against the stiffness of the two materials; for clearance "
      "give the goal \"fit\": \"H7/g6\" or {{\"clearance_um\": 20}}",
      smallLengthText(-*fit.wallClearance));
}

/// Measured from the start of the bore: the head of a screw may be sunk in a counterbore.
std::string depthWarning(const content::Scene& scene, const content::Goal& goal, const InsertionFit& fit) {
  if (!fit.hasHole()) return "";
  const content::Part& part = partOf(scene, goal.part);
  const double length = lengthBehind(part, part.features[static_cast<std::size_t>(goal.feature)]);
  const double below = goal.depth - fit.leadInDepth - length;
  if (!(below > goal.depthTolerance + kNone)) return "";
  return fmt::format(
      "the depth of {} is more than {} can go in: it is {} long, and its other end would be {} deep in the "
      "bore; give the goal a smaller \"depth\"",
      smallLengthText(goal.depth), part.name, smallLengthText(length), smallLengthText(below));
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

/// Of threads that cannot be screwed together.
std::string threadWarning(const content::ThreadPair& threads) {
  const std::string external = content::threadText(threads.external),
                    internal = content::threadText(threads.internal);
  if (!threads.isMatching())
    return fmt::format("{} does not match {}: the threads bind; give both the same size, hand and starts",
                       external, internal);
  if (threads.axialPlay() < 0)
    return fmt::format(
        "the threads interfere by {} at the pitch diameter; give them classes or \"deviations_um\" "
        "with clearance",
        smallLengthText(threads.external.pitchDiameter - threads.internal.pitchDiameter));
  return "";
}

}  // namespace

std::vector<std::string> fitWarnings(const content::Scene& scene) {
  std::vector<std::string> warnings;
  for (const content::Goal& goal : scene.goals) {
    const InsertionFit fit = insertionFitOf(scene, goal);
    const std::string pair = fmt::format("{} into {}/{}: ", partOf(scene, goal.part).name,
                                         partOf(scene, goal.into).name, goal.hole);
    const auto threads = content::threadPairOf(scene, goal);
    for (const std::string& text :
         {threads ? threadWarning(*threads) : std::string(),
          fit.known() ? clearanceWarning(scene, goal, fit) : std::string(), wallWarning(goal, fit),
          lengthWarning(scene, goal, fit), depthWarning(scene, goal, fit)})
      if (!text.empty()) warnings.push_back(pair + text);
  }
  return warnings;
}

}  // namespace tenon::runtime
