// See thread_pair.h.
#include "content/parts/thread_pair.h"

#include <algorithm>
#include <cmath>

#include "content/parts/threaded_shapes.h"

namespace tenon::content {
namespace {

using physics::Thread;

/// Axes that differ by less are the same [m], [rad].
constexpr double kSameAxis = 1e-9;

/// The thread of `shape` about the axis through `origin`, nearest to that point; X: of the shape's frame in
/// that of the axis.
std::optional<PlacedThread> threadOn(const physics::Shape& shape, bool isInternal, const Vector3d& origin,
                                     const Vector3d& axis) {
  std::optional<PlacedThread> nearest;
  double least = 0;
  for (const PlacedThread& placed : threadsOf(shape)) {
    if (placed.thread.isInternal != isInternal ||
        (placed.X_PT.q * Vector3d::UnitZ()).cross(axis).norm() > kSameAxis ||
        (placed.X_PT.p - origin).cross(axis).norm() > kSameAxis)
      continue;
    const auto away = [&](double z) { return std::abs(axis.dot(placed.X_PT * Vector3d(0, 0, z) - origin)); };
    const double distance = std::min(away(placed.thread.low), away(placed.thread.high));
    if (nearest && distance >= least) continue;
    nearest = placed;
    least = distance;
  }
  return nearest;
}

std::optional<PlacedThread> threadOnFeature(const Scene& scene, const Goal& goal) {
  if (goal.pose) return std::nullopt;
  const Part& part = scene.part(goal.part);
  const AxisFeature& feature = part.features[static_cast<std::size_t>(goal.feature)];
  return threadOn(part.shape, false, feature.origin, feature.direction);
}

}  // namespace

bool ThreadPair::isMatching() const {
  return std::abs(external.lead() - internal.lead()) < kSameAxis && external.starts == internal.starts;
}

double ThreadPair::axialPlay() const {
  return (internal.pitchDiameter - external.pitchDiameter) * std::tan(internal.halfAngle);
}

std::optional<ThreadPair> threadPairOf(const Scene& scene, const Goal& goal) {
  const auto external = threadOnFeature(scene, goal);
  if (!external) return std::nullopt;
  const auto internal =
      threadOn(scene.part(goal.into).shape, true, goal.X_IH.p, goal.X_IH.q * Vector3d::UnitZ());
  if (!internal) return std::nullopt;
  return ThreadPair{external->thread, internal->thread, external->X_PT, goal.X_IH.inverse() * internal->X_PT};
}

std::optional<Thread> externalThreadOf(const Scene& scene, const Goal& goal) {
  const auto placed = threadOnFeature(scene, goal);
  return placed ? std::optional(placed->thread) : std::nullopt;
}

CompleteRange completeRangeOf(const Thread& thread) {
  return {thread.low + thread.ends[0].length, thread.high - thread.ends[1].length};
}

double depthOfTurns(const ThreadPair& threads, const AxisFeature& feature, double turns) {
  const CompleteRange own = completeRangeOf(threads.external), other = completeRangeOf(threads.internal);
  const auto behind = [&](double z) {
    return -feature.direction.dot(threads.X_PE * Vector3d(0, 0, z) - feature.origin);
  };
  const auto height = [&](double z) { return (threads.X_HI * Vector3d(0, 0, z)).z(); };
  return turns * std::abs(threads.internal.lead()) + std::min(behind(own.low), behind(own.high)) -
         std::max(height(other.low), height(other.high));
}

}  // namespace tenon::content
