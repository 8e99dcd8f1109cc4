// By steps of the simulation itself, whose ends are free of overlap.
#include "content/reader/settle_start.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "content/input/limits.h"
#include "content/model/build_world.h"

namespace tenon::content {
namespace {

/// Overlaps that a step leaves are rounding; the third step has nothing left to do.
constexpr int kSettlingSteps = 3;

/// A part that would have to move farther is not settled but somewhere else [m].
constexpr double kFarthest = 10 * kSettledOverlap;

bool canMove(const Scene& scene, const Interference& pair) {
  const auto isDynamic = [&](int k) { return scene.part(k).motion == physics::MotionType::dynamic; };
  return isDynamic(pair.a) || isDynamic(pair.b);
}

/// The overlaps that a step could mend.
std::vector<Interference> movableOverlaps(const Scene& scene, InterferenceSearch& search) {
  auto all = search.find(scene, kInitialOverlapTolerance);
  std::erase_if(all, [&](const Interference& pair) { return !canMove(scene, pair); });
  return all;
}

/// Parts at rest that nothing pulls.
Scene atRest(const Scene& scene) {
  Scene rest = scene;
  rest.gravity.setZero();
  rest.hands.clear();
  for (Part& part : rest.parts) {
    part.v.setZero();
    part.omega.setZero();
    part.thrusters.clear();
  }
  return rest;
}

}  // namespace

void settleStart(Scene& scene, InterferenceSearch& search) {
  if (!search.find(scene, kSettledOverlap, 1).empty()) return;
  const auto drawn = search.find(scene, kInitialOverlapTolerance);
  if (drawn.empty()) return;
  Scene moved = atRest(scene);
  for (int step = 0; step < kSettlingSteps && !movableOverlaps(moved, search).empty(); ++step) {
    physics::World world = buildWorld(moved, {.dt = 1 / scene.rate});
    const physics::StepResult& result = world.step();
    if (!result.report.converged) return;
    for (int k = 0; k < static_cast<int>(moved.parts.size()); ++k) {
      if (moved.part(k).motion != physics::MotionType::dynamic) continue;
      Pose& X_WP = moved.part(k).X_WP;
      X_WP = world.partPose({k}, result.bodies[static_cast<std::size_t>(k)]);
      if (!((X_WP.p - scene.part(k).X_WP.p).norm() <= kFarthest)) return;
    }
  }
  if (!movableOverlaps(moved, search).empty()) return;
  for (std::size_t k = 0; k < scene.parts.size(); ++k) scene.parts[k].X_WP = moved.parts[k].X_WP;
  for (const Interference& pair : drawn) scene.settled.push_back({pair.a, pair.b, pair.depth});
}

}  // namespace tenon::content
