// Assembly precedence: goals reached before a goal that the scene requires first.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/assess/goal_watch.h"

namespace tenon::runtime {

/// A goal that was reached before its required predecessor.
struct OutOfOrder {
  int goal = -1, predecessor = -1;  ///< indices into Scene::goals
  double time = 0;                  ///< at which `goal` was reached [s]
  double predecessorTime = 0;       ///< at which `predecessor` was reached [s]; negative: never
};

/// In the order of goals. `results`: one entry for each goal of the scene, in their order.
std::vector<OutOfOrder> outOfOrder(const content::Scene& scene, std::span<const GoalResult> results);

/// "out of order: screw 1 went in at 1.200 s, before pin 1 (2.400 s)".
std::string toText(const OutOfOrder& wrong, const content::Scene& scene);

}  // namespace tenon::runtime
