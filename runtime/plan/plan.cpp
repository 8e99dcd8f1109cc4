// See plan.h.
#include "runtime/plan/plan.h"

#include <algorithm>

namespace tenon::runtime {

bool PlanStep::movesOthers() const {
  return std::any_of(legs.begin(), legs.end(), [&](const PathLeg& leg) { return leg.units != units; });
}

const PathLeg* PlanStep::firstLeg() const {
  for (const PathLeg& leg : legs)
    if (std::includes(leg.units.begin(), leg.units.end(), units.begin(), units.end())) return &leg;
  return nullptr;
}

std::optional<physics::Vector3d> PlanStep::firstDirection() const {
  const PathLeg* first = firstLeg();
  if (!first) return motion.direction;
  if (first->rotation.norm() > 0) return std::nullopt;
  return first->displacement.normalized();
}

std::vector<PathLeg> PlanStep::insertionLegs() const {
  std::vector<PathLeg> reversed;
  for (auto leg = legs.rbegin(); leg != legs.rend(); ++leg) reversed.push_back(reversedLeg(*leg));
  return reversed;
}

}  // namespace tenon::runtime
