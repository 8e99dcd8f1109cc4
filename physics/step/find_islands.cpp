// SceneView 3 of a step: who may touch whom in this step.
#include <algorithm>
#include <cmath>
#include <utility>

#include "physics/math/tolerances.h"
#include "physics/step/step_state.h"

namespace tenon::physics {

namespace {

/// Reach of a body that a trial of the step moved, times how far that was [-].
constexpr double kThrownFactor = 2;

/// Bound on how far a point of the body moves in the step at velocity u [m].
double motion(const Body& body, const Vector6d& u, double dt) {
  const double turning = u.tail<3>().norm();
  return dt * (u.head<3>().norm() + (turning > 0 ? turning * body.radius : 0.0));
}

/// `u` made shorter where it moves a point of the body further than `limit` [m].
Vector6d limited(const Body& body, const Vector6d& u, double dt, double limit) {
  const double way = motion(body, u, dt);
  return way > limit ? Vector6d(limit / way * u) : u;
}

/// The velocity of the last step, made shorter where it leads further than `way` [m], and a hint of where the
/// body would go: a part at rest in a corner leaves it on the side to which it is pushed.
Vector6d predictedVelocity(const StepState& s, std::size_t i, double way) {
  if (!s.dynamic[i]) return s.freeVelocity[i];
  Vector6d now;
  now << s.states[i].v, s.states[i].omega;
  const double dt = s.options.dt;
  return limited(s.bodies[i], now, dt, way) +
         limited(s.bodies[i], s.freeVelocity[i] - now, dt, kPredictedForceDisplacement);
}

/// Bodies of crowds begin further on.
void predictLargeIslands(StepState& s) {
  const double way =
      std::max(kPredictedDisplacement,
               std::min(kLargeIslandPredictedDisplacement, kLargeIslandPredictedFraction * s.minThickness));
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    if (const int k = s.islands.islandOf({static_cast<int>(i)});
        k >= 0 && s.islands.size(k) > kLargeIslandBodies)
      s.predicted[i] = predictedVelocity(s, i, way);
}

/// One of them can be pushed away, and no joint or thread holds them to each other.
bool mayTouch(const StepState& s, const BodyPair& pair) {
  return (s.dynamic[pair.i.value] || s.dynamic[pair.j.value]) &&
         !std::binary_search(s.collisionFilter.begin(), s.collisionFilter.end(), pair) &&
         std::find(s.tightened.begin(), s.tightened.end(), pair) == s.tightened.end();
}

/// Keeps those pairs that have a contact within reach at the start of the step. A body with its own motion is
/// taken where it will be: there the contacts are solved.
void keepTouching(StepState& s) {
  std::erase_if(s.pairs, [&s](const BodyPair& pair) { return !mayTouch(s, pair); });
  for (std::size_t i = 0; i < s.bodies.size(); ++i) s.queryPoses[i] = s.dynamic[i] ? s.start[i] : s.end[i];
  s.distanceCache.findTouching(*s.collider, s.queryPoses, s.radius, s.pairs, s.searchMargin, s.touching);
}

/// Pairs that are one problem: those that touch, and those that a joint connects.
void coupleJoined(StepState& s) {
  s.coupled.assign(s.touching.begin(), s.touching.end());
  for (std::size_t n = 0; n < s.joints.size(); ++n) {
    if (s.screwJoints[n].phase == JointPhase::apart) continue;
    const auto [i, j] = std::pair(s.joints[n].description.i, s.joints[n].description.j);
    s.coupled.push_back(i.valid() ? BodyPair{i, j} : BodyPair{j, j});
  }
}

Pose reachedBy(const StepState& s, int body) {
  const Vector6d& u = s.velocity[body];
  return s.dynamic[body] ? advance(s.start[body], u.head<3>(), u.tail<3>(), s.options.dt) : s.end[body];
}

/// True where two bodies that were not known to each other came into each other's way: what the contacts
/// between them at the start of the step say of its end, or those that they have there.
bool haveMet(StepState& s, const BodyPair& pair) {
  const int i = pair.i.value, j = pair.j.value;
  s.found.clear();
  s.collider->findContacts(pair, s.queryPoses[i], s.queryPoses[j], s.widenedMargin[i] + s.widenedMargin[j],
                           s.found);
  if (s.found.empty()) return false;
  const Pose X_I = reachedBy(s, i), X_J = reachedBy(s, j);
  const auto moved = [](const Pose& from, const Pose& to, const Vector3d& p) {
    return Vector3d(to * (from.inverse() * p) - p);
  };
  for (const Contact& c : s.found) {
    const Vector3d way = moved(s.queryPoses[j], X_J, c.p) - moved(s.queryPoses[i], X_I, c.p);
    if (c.separation + c.n.dot(way) < 0) return true;
  }
  s.found.clear();
  s.collider->findContacts(pair, X_I, X_J, 0, s.found);
  return !s.found.empty();
}

/// Of bodies that went further than they were searched for contacts: whether there was nothing else in their
/// way. Then the step stands. What was not solved is worth another attempt in any case, and baraff's method
/// looks no further than the start of the step.
bool metNothing(StepState& s, bool solved) {
  s.overshot.clear();
  s.widenedMargin = s.searchMargin;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    if (!s.dynamic[i]) continue;
    const double way = motion(s.bodies[i], s.velocity[i], s.options.dt);
    if (way <= s.searchMargin[i]) continue;
    if (!solved || s.options.solver == SolverName::baraff || !std::isfinite(way)) return false;
    s.overshot.push_back({static_cast<int>(i)});
    s.widenedMargin[i] = way;
  }
  if (s.overshot.empty()) return true;
  const auto hasOvershot = [&s](BodyId body) {
    return std::binary_search(s.overshot.begin(), s.overshot.end(), body);
  };
  s.collider->findPairs(s.start, s.widenedMargin, s.widenedPairs);
  return std::none_of(s.widenedPairs.begin(), s.widenedPairs.end(), [&](const BodyPair& pair) {
    if (!hasOvershot(pair.i) && !hasOvershot(pair.j)) return false;
    if (!mayTouch(s, pair) || std::binary_search(s.touching.begin(), s.touching.end(), pair)) return false;
    return haveMet(s, pair);
  });
}

int islandOf(const StepState& s, const JointDescription& joint) {
  const int i = joint.i.valid() ? s.islands.islandOf(joint.i) : -1;
  return std::max(i, s.islands.islandOf(joint.j));
}

}  // namespace

void findIslands(StepState& s, bool again) {
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    if (s.bodies[i].description.motion == MotionType::fixed) {
      s.searchMargin[i] = 0;
      continue;
    }
    Vector6d now;
    now << s.states[i].v, s.states[i].omega;
    const double moved = std::max(motion(s.bodies[i], now, s.options.dt),
                                  motion(s.bodies[i], s.freeVelocity[i], s.options.dt));
    const double searchMargin = kSearchMarginFactor * moved + kSearchMargin;
    if (again) {
      // From where the last attempt came to, as far as that was searched.
      s.predicted[i] = limited(s.bodies[i], s.velocity[i], s.options.dt, s.searchMargin[i]);
      // A body that was thrown further than it was searched for: as far as it went, and more.
      s.searchMargin[i] =
          std::max(s.searchMargin[i], kThrownFactor * motion(s.bodies[i], s.velocity[i], s.options.dt));
    } else {
      s.predicted[i] = predictedVelocity(s, i, kPredictedDisplacement);
      s.searchMargin[i] = searchMargin;
    }
  }
  s.collider->findPairs(s.start, s.searchMargin, s.pairs);
  keepTouching(s);
  coupleJoined(s);
  s.islands.build(s.dynamic, s.coupled);
  if (!again) predictLargeIslands(s);

  s.islandCount = s.islands.count();
  while (static_cast<int>(s.islandSlots.size()) < s.islandCount)
    s.islandSlots.push_back(std::make_unique<IslandSlot>());
  allowSleep(s);
  const StepView view{.collider = s.collider.get(),
                      .dt = s.options.dt,
                      .start = s.start,
                      .end = s.end,
                      .searchMargin = s.searchMargin,
                      .massFactor = s.massFactor,
                      .freeVelocity = s.freeVelocity,
                      .predicted = s.predicted,
                      .surfaces = &s.surfaces,
                      .material = s.material,
                      .joints = s.engagedJoints,
                      .states = s.states};
  // Those at rest are left empty.
  for (int k = 0; k < s.islandCount; ++k) s.islandSlots[k]->problem.begin(view);
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const BodyId id{static_cast<int>(i)};
    const int k = s.islands.islandOf(id);
    if (k >= 0 && !s.islandSlots[k]->isSleeping) s.islandSlots[k]->problem.addBody(id);
  }
  for (const BodyPair& pair : s.touching) {
    const int k = std::max(s.islands.islandOf(pair.i), s.islands.islandOf(pair.j));
    if (k >= 0 && !s.islandSlots[k]->isSleeping) s.islandSlots[k]->problem.addPair(pair);
  }
  for (std::size_t n = 0; n < s.joints.size(); ++n)
    if (s.screwJoints[n].phase != JointPhase::apart)
      s.islandSlots[islandOf(s, s.joints[n].description)]->problem.addJoint({static_cast<int>(n)});
  for (int k = 0; k < s.islandCount; ++k)
    if (!s.islandSlots[k]->isSleeping) s.islandSlots[k]->problem.complete();
}

bool solveIslands(StepState& s) {
  const auto task = [&s](int worker, int k) {
    IslandSlot& slot = *s.islandSlots[k];
    if (slot.isSleeping) return;
    slot.report = s.chains[worker].solve(slot.problem, s.warm, slot.solution);
  };
  s.workers->run(s.islandCount, std::cref(task));

  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    if (isSleeping(s, {static_cast<int>(i)})) s.velocity[i].setZero();
  bool solved = true;
  for (int k = 0; k < s.islandCount; ++k) {
    const IslandSlot& slot = *s.islandSlots[k];
    if (slot.isSleeping) continue;
    solved = solved && slot.report.solve.solved;
    const auto ids = slot.problem.bodyIds();
    for (std::size_t i = 0; i < ids.size(); ++i)
      s.velocity[ids[i].value] = block(std::span(slot.solution.u), static_cast<int>(i));
  }
  return metNothing(s, solved);
}

}  // namespace tenon::physics
