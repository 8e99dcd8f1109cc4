// See script_warnings.h.
#include "runtime/report/script_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "runtime/assess/grab_reach.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

using content::Hand;
using content::Waypoint;

/// Rounding error of summed times in a file [s]: far below a step.
constexpr double kTimeRounding = 1e-9;

const content::Part& scriptedPartOf(const content::Scene& scene, int part) {
  return scene.part(part);
}

/// Index of a waypoint in the "script" of the file.
int entryOf(const Hand& hand, std::size_t waypoint) {
  const int entry = hand.script[waypoint].entry;
  return entry < 0 ? static_cast<int>(waypoint) : entry;
}

/// Of a script whose last entries come after the end, the first of them.
std::string lateWarning(const Hand& hand, std::size_t index, double end) {
  const auto late = std::find_if(hand.script.begin(), hand.script.end(), [&](const Waypoint& waypoint) {
    return waypoint.time > end + kTimeRounding;
  });
  if (late == hand.script.end()) return "";
  const int first = entryOf(hand, static_cast<std::size_t>(late - hand.script.begin()));
  const int count = entryOf(hand, hand.script.size() - 1) - first + 1;
  return fmt::format(
      "/hands/{}/script/{}: the {} hand's script goes on until {:g} s, after the end at {:g} s: {} not "
      "carried out; give the scene a longer \"duration_s\"",
      index, first, hand.name, hand.script.back().time, end,
      count == 1 ? "its last entry is" : fmt::format("its last {} entries are", count));
}

/// Grabs of parts heavier than the hand's spring can lift, unless the hand compensates the
/// weight.
void addWeightWarnings(const content::Scene& scene, std::size_t index, std::vector<std::string>& warnings) {
  const Hand& hand = scene.hands[index];
  if (hand.parameters.carriesWeight) return;
  for (std::size_t e = 0; e < hand.script.size(); ++e) {
    if (hand.script[e].grab < 0) continue;
    const content::Part& part = scriptedPartOf(scene, hand.script[e].grab);
    const double weight = part.mass.mass * scene.gravity.norm();
    if (!(weight > hand.parameters.maxForce)) continue;
    warnings.push_back(fmt::format(
        "/hands/{}/script/{}: {} weighs {}, more than the {} hand's max_force_n of {}; give the hand more "
        "force, or let it carry the weight (\"carries_weight\": true)",
        index, entryOf(hand, e), part.name, forceText(weight), hand.name,
        forceText(hand.parameters.maxForce)));
  }
}

/// Time at which a script first grabs one of the goal's two parts [s]; infinite if none does.
double firstGrab(const content::Scene& scene, const content::Goal& goal) {
  double first = std::numeric_limits<double>::infinity();
  for (const Hand& hand : scene.hands)
    for (const Waypoint& waypoint : hand.script)
      if (waypoint.grab == goal.part || waypoint.grab == goal.into) first = std::min(first, waypoint.time);
  return first;
}

std::string limitWarning(const content::Scene& scene, std::size_t index, double end) {
  const content::Goal& goal = scene.goals[index];
  const double grab = firstGrab(scene, goal);
  // After the end, the warning is about the script's entry itself.
  if (!(grab >= goal.timeLimit) || grab > end + kTimeRounding) return "";
  return fmt::format(
      "/goals/{}: the time limit of {:g} s is over before a hand grabs {}, at {:g} s; give a longer "
      "\"time_limit_s\", or leave it out",
      index, goal.timeLimit, scriptedPartOf(scene, goal.part).name, grab);
}

}  // namespace

std::string toText(const FarGrab& grab, const content::Scene& scene) {
  const content::Hand& hand = scene.hands[grab.hand];
  return fmt::format(
      "/hands/{}/script/{}: the {} hand grabs {} from {} away, beyond its reach of {}; move the hand to the "
      "part before it grabs, or give the hand a larger \"reach\"",
      grab.hand, entryOf(hand, grab.entry), hand.name,
      scene.parts[static_cast<std::size_t>(hand.script[grab.entry].grab)].name,
      smallLengthText(grab.distance), smallLengthText(hand.reach));
}

std::vector<std::string> scriptWarnings(const content::Scene& scene, double end) {
  std::vector<std::string> warnings;
  for (std::size_t h = 0; h < scene.hands.size(); ++h) {
    if (std::string late = lateWarning(scene.hands[h], h, end); !late.empty())
      warnings.push_back(std::move(late));
    addWeightWarnings(scene, h, warnings);
  }
  for (const FarGrab& grab : farGrabs(scene)) warnings.push_back(toText(grab, scene));
  for (std::size_t g = 0; g < scene.goals.size(); ++g)
    if (std::string limit = limitWarning(scene, g, end); !limit.empty()) warnings.push_back(std::move(limit));
  return warnings;
}

}  // namespace tenon::runtime
