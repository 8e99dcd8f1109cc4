// Goals in their order: see precedence.h.
#include "runtime/assess/precedence.h"

#include <fmt/format.h>

namespace tenon::runtime {

namespace {

std::string nameOf(const content::Scene& scene, int goal) {
  const content::Goal& asked = scene.goals[static_cast<std::size_t>(goal)];
  if (!asked.name.empty()) return asked.name;
  return fmt::format("{} into {}/{}", scene.parts[static_cast<std::size_t>(asked.part)].name,
                     scene.parts[static_cast<std::size_t>(asked.into)].name, asked.hole);
}

}  // namespace

std::vector<OutOfOrder> outOfOrder(const content::Scene& scene, std::span<const GoalResult> results) {
  std::vector<OutOfOrder> wrong;
  for (const GoalResult& result : results) {
    if (!isReached(result.verdict)) continue;
    for (const int before : scene.goals[static_cast<std::size_t>(result.goal)].after) {
      const GoalResult& first = results[static_cast<std::size_t>(before)];
      const bool reached = isReached(first.verdict);
      if (reached && first.time <= result.time) continue;
      wrong.push_back({result.goal, before, result.time, reached ? first.time : -1});
    }
  }
  return wrong;
}

std::string toText(const OutOfOrder& wrong, const content::Scene& scene) {
  const std::string when =
      wrong.predecessorTime < 0 ? "never" : fmt::format("{:.3f} s", wrong.predecessorTime);
  return fmt::format("out of order: {} went in at {:.3f} s, before {} ({})", nameOf(scene, wrong.goal),
                     wrong.time, nameOf(scene, wrong.before), when);
}

}  // namespace tenon::runtime
