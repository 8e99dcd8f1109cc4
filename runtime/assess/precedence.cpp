// See precedence.h.
#include "runtime/assess/precedence.h"

#include <fmt/format.h>

namespace tenon::runtime {

namespace {

std::string nameOf(const content::Scene& scene, int goal) {
  const content::Goal& g = scene.goals[static_cast<std::size_t>(goal)];
  if (!g.name.empty()) return g.name;
  return fmt::format("{} into {}/{}", scene.part(g.part).name, scene.part(g.into).name, g.hole);
}

}  // namespace

std::vector<OutOfOrder> outOfOrder(const content::Scene& scene, std::span<const GoalResult> results) {
  std::vector<OutOfOrder> wrong;
  for (const GoalResult& result : results) {
    if (!isReached(result.verdict)) continue;
    for (const int predecessor : scene.goals[static_cast<std::size_t>(result.goal)].after) {
      const GoalResult& first = results[static_cast<std::size_t>(predecessor)];
      const bool reached = isReached(first.verdict);
      if (reached && first.time <= result.time) continue;
      wrong.push_back({result.goal, predecessor, result.time, reached ? first.time : -1});
    }
  }
  return wrong;
}

std::string toText(const OutOfOrder& wrong, const content::Scene& scene) {
  const std::string inserted =
      fmt::format("out of order: {} was inserted at {:.3f} s", nameOf(scene, wrong.goal), wrong.time);
  const std::string predecessor = nameOf(scene, wrong.predecessor);
  if (wrong.predecessorTime < 0) return fmt::format("{}; {} was never inserted", inserted, predecessor);
  return fmt::format("{}, before {} ({:.3f} s)", inserted, predecessor, wrong.predecessorTime);
}

}  // namespace tenon::runtime
