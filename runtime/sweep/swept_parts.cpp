// See swept_parts.h.
#include "runtime/sweep/swept_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>

#include "content/model/build_world.h"
#include "runtime/export/motion_track.h"
#include "runtime/plan/path_check.h"
#include "runtime/record/resimulation.h"
#include "runtime/session/session_scene.h"

namespace tenon::runtime {

namespace {

using physics::Pose;

/// Rotation between two poses of a path at most [rad].
constexpr double kLargestTurn = std::numbers::pi / 4;
/// Parts that are displaced by less rest [m].
constexpr double kAtRest = 1e-4;

/// Length of the path of a part's origin along a leg [m], and at least that of a small rotation.
double lengthOf(const PathLeg& leg, const Pose& X_WP) {
  return std::max(kAtRest, leg.displacement.norm() + leg.rotation.norm() * (X_WP.p - leg.center).norm());
}

/// Adds the legs after the straight motion, whose end is at `at` [m]. The origin's arcs become chords that
/// deviate by 0.2 µm at most.
void addLegs(const PlanStep& step, Pose X_WP, double at, PartPath& path) {
  for (const PathLeg& leg : step.insertionLegs()) {
    if (!std::includes(leg.units.begin(), leg.units.end(), step.units.begin(), step.units.end())) continue;
    const std::size_t count = sectionsOf(leg, 0, X_WP, 0, X_WP, 0, 1).size();
    for (std::size_t k = 1; k <= count; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(count);
      path.add(at + share * lengthOf(leg, X_WP), poseAlong(leg, X_WP, share));
    }
    at += lengthOf(leg, X_WP);
    X_WP = poseAlong(leg, X_WP, 1);
  }
}

PartPath insertionOf(const PlanStep& step, const Pose& place) {
  const RemovalMotion& motion = step.motion;
  const Pose X_WP = poseAfter(step.legs, step.units.front(), place);
  const double thread = motion.pitch != 0 ? std::min(motion.thread, step.travel) : 0;
  PartPath path;
  if (step.travel > thread) path.add(0, poseAlong(motion, X_WP, step.travel));
  const double turn = motion.pitch != 0 ? 2 * std::numbers::pi * thread / std::abs(motion.pitch) : 0;
  const int count = thread > 0 ? std::max(1, static_cast<int>(std::ceil(turn / kLargestTurn))) : 0;
  for (int k = count; k >= 0; --k) {
    const double left = count > 0 ? thread * k / count : 0;
    path.add(step.travel - left, poseAlong(motion, X_WP, left));
  }
  addLegs(step, X_WP, step.travel, path);
  return path;
}

std::vector<int> partsOf(const Assembly& assembly, const std::vector<int>& units) {
  std::vector<int> parts;
  for (const int unit : units) {
    const std::vector<int>& own = assembly.units[static_cast<std::size_t>(unit)].parts;
    parts.insert(parts.end(), own.begin(), own.end());
  }
  return parts;
}

}  // namespace

SweptParts plannedParts(const Assembly& assembly, const std::vector<PlanStep>& steps) {
  SweptParts planned;
  for (const Pose& X_WP : assembly.X_WP) {
    PartPath rest;
    rest.add(0, X_WP);
    planned.others.push_back(std::move(rest));
  }
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const PlanStep& step = steps[k];
    std::vector<int> others;
    if (step.onto >= 0) {
      others = partsOf(assembly, {step.onto});
    } else {
      others = assembly.base;
      others.insert(others.end(), assembly.surroundings.begin(), assembly.surroundings.end());
    }
    for (std::size_t earlier = 0; earlier < k; ++earlier) {
      if (steps[earlier].group != step.group) continue;
      const std::vector<int> present = partsOf(assembly, steps[earlier].units);
      others.insert(others.end(), present.begin(), present.end());
    }
    std::sort(others.begin(), others.end());
    // Parts that make way are not where they are at rest.
    std::erase_if(others, [&](int part) {
      return std::any_of(step.legs.begin(), step.legs.end(), [&](const PathLeg& leg) {
        return std::binary_search(leg.units.begin(), leg.units.end(), assembly.unitOf(part));
      });
    });
    for (const int part : partsOf(assembly, step.units))
      planned.swept.push_back({part, static_cast<int>(k) + 1,
                               insertionOf(step, assembly.X_WP[static_cast<std::size_t>(part)]), others});
  }
  return planned;
}

namespace {

/// True if the session returned to an earlier state before this step.
bool isReturn(const RecordedStep& step) {
  return std::any_of(step.changes.begin(), step.changes.end(),
                     [](const WorldChange& change) { return std::holds_alternative<ReturnTo>(change); });
}

/// Parts at rest take no memory for each step.
void addPose(PartPath& path, double time, const Pose& X_WP, bool jumps) {
  const bool rests =
      !path.isEmpty() && path.poses().back().p == X_WP.p && path.poses().back().q.coeffs() == X_WP.q.coeffs();
  if (rests)
    path.stay(time);
  else
    path.add(time, X_WP, jumps);
}

/// Parts that may not move, or do not, are no subjects.
bool isDisplaced(const PartPath& path, double reach) {
  return !path.isEmpty() && std::isfinite(reach) && path.moved(path.start(), path.end(), reach) >= kAtRest;
}

}  // namespace

SweptParts recordedParts(SessionReader& session, const content::Scene& scene,
                         const std::function<bool(double)>& progress) {
  if (session.bodies().size() != scene.parts.size())
    session.fail("body", "does not have the parts of the session's scene");
  SweptParts recorded;
  recorded.isRecorded = true;
  recorded.gaps = verificationObstacle(session.header());
  std::optional<Resimulation> resimulation;
  if (recorded.gaps.empty()) resimulation.emplace(session, scene, optionsOf(session.header()));
  const physics::World world = content::buildWorld(scene, {});
  recorded.others.resize(scene.parts.size());
  double last = -1;
  bool jumps = false;
  for (RecordedStep tick; session.next(tick);) {
    if (!progress(tick.time)) return recorded;
    if (resimulation) resimulation->step(tick);
    jumps = jumps || isReturn(tick);
    if ((!resimulation && !tick.keyframe) || tick.time <= last) continue;
    last = tick.time;
    const std::vector<physics::BodyState>& states =
        tick.keyframe ? tick.states : resimulation->world().stepResult().bodies;
    for (std::size_t k = 0; k < scene.parts.size(); ++k)
      addPose(recorded.others[k], tick.time, world.partPose({static_cast<int>(k)}, states[k]), jumps);
    jumps = false;
  }
  const PartDistance shapes(scene);
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    if (!isDisplaced(recorded.others[k], shapes.collider().radius({static_cast<int>(k)}))) continue;
    SweptPart part;
    part.part = static_cast<int>(k);
    part.path = recorded.others[k];
    for (std::size_t other = 0; other < scene.parts.size(); ++other)
      if (other != k) part.others.push_back(static_cast<int>(other));
    recorded.swept.push_back(std::move(part));
  }
  return recorded;
}

PartPath simplified(const PartPath& path, double reach, double tolerance) {
  PartPath result;
  std::optional<MotionTrack> track;
  bool jumps = false;
  const auto finish = [&] {
    if (!track) return;
    const content::GlbAnimation kept = track->finish();
    for (std::size_t k = 0; k < kept.times.size(); ++k)
      result.add(kept.times[k], kept.poses[k], jumps && k == 0);
  };
  for (std::size_t k = 0; k < path.times().size(); ++k) {
    if (k == 0 || path.jumpsTo(k)) {
      finish();
      jumps = k > 0;
      track.emplace(reach, tolerance);
    }
    track->add(path.times()[k], path.poses()[k]);
  }
  finish();
  return result;
}

}  // namespace tenon::runtime
