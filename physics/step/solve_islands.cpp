// Stage 4 of a step: solves the islands, and checks that no body left the range in which contacts were
// searched.
#include <algorithm>
#include <cmath>
#include <functional>

#include "physics/contact/search_range.h"
#include "physics/step/motion_bound.h"
#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Pose of a body at the end of the step, as solved.
Pose solvedPose(const WorldModel& model, const StepWorkspace& work, int body) {
  const Vector6d& u = work.islands.velocity[body];
  return model.dynamic[body] ? advance(work.free.start[body], u.head<3>(), u.tail<3>(), work.substep.dt)
                             : work.free.end[body];
}

/// True if two bodies between which no contacts were solved collide in the step: by the contacts at its
/// start, linearized to its end, or by those at its end.
bool collides(const WorldModel& model, StepWorkspace& work, const BodyPair& pair) {
  ContactSearch& search = work.search;
  const int i = pair.i.value, j = pair.j.value;
  const Pose &X_I = search.queryPoses[i], &X_J = search.queryPoses[j];
  search.found.clear();
  model.collider->findContacts(pair, X_I, X_J, search.widenedMargin[i] + search.widenedMargin[j],
                               search.found);
  if (search.found.empty()) return false;
  const Pose endOfI = solvedPose(model, work, i), endOfJ = solvedPose(model, work, j);
  const auto displacement = [](const Pose& from, const Pose& to, const Vector3d& p) {
    return Vector3d(to * (from.inverse() * p) - p);
  };
  for (const Contact& c : search.found) {
    const Vector3d relative = displacement(X_J, endOfJ, c.p) - displacement(X_I, endOfI, c.p);
    if (c.separation + c.n.dot(relative) < 0) return true;
  }
  search.found.clear();
  model.collider->findContacts(pair, endOfI, endOfJ, 0, search.found);
  return !search.found.empty();
}

/// True if the bodies that moved further than their margins collided with nothing that was not searched: then
/// the step is valid. An unsolved step is repeated in any case; so is one of baraff, whose method uses only
/// the distances at the start of the step.
bool isWithinMargin(const WorldModel& model, StepWorkspace& work, bool solved) {
  ContactSearch& search = work.search;
  search.overshot.clear();
  search.widenedMargin = search.margin;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (!model.dynamic[i]) continue;
    const double displacement = displacementBound(model, work.substep, i, work.islands.velocity[i]);
    if (displacement <= search.margin[i]) continue;
    if (!solved || model.options.solver == SolverName::baraff || !std::isfinite(displacement)) return false;
    search.overshot.push_back({static_cast<int>(i)});
    search.widenedMargin[i] = displacement;
  }
  if (search.overshot.empty()) return true;
  const auto hasOvershot = [&search](BodyId body) {
    return std::binary_search(search.overshot.begin(), search.overshot.end(), body);
  };
  model.collider->findPairs(work.free.start, search.widenedMargin, search.widenedPairs);
  return std::none_of(search.widenedPairs.begin(), search.widenedPairs.end(), [&](const BodyPair& pair) {
    if (!hasOvershot(pair.i) && !hasOvershot(pair.j)) return false;
    if (!canTouch(model, work, pair)) return false;
    const int i = pair.i.value, j = pair.j.value;
    if (search.widenedMargin[i] + search.widenedMargin[j] >
        unsweptDisplacement(model.thickness[i], model.thickness[j])) {
      work.sweep.pairs.push_back(pair);
      return false;
    }
    if (std::binary_search(search.touching.begin(), search.touching.end(), pair)) return false;
    return collides(model, work, pair);
  });
}

/// Keeps the bodies of an island in which bodies meet on their paths, and which no solver solved, at their
/// poses: its impact then determines their velocities. An unsolved state may lie behind what they met.
void holdUnsolved(IslandSlot& slot) {
  SolveReport& report = slot.report.solve;
  if (report.solved || report.fraction == 0 || !slot.problem.hasSweptContacts()) return;
  report.fraction = 0;
  slot.problem.linearizeAtStart();
}

}  // namespace

bool solveIslands(const WorldModel& model, const WorldState& state, StepWorkspace& work) {
  IslandWork& islands = work.islands;
  const auto task = [&islands, &state](int worker, int k) {
    IslandSlot& slot = *islands.slots[k];
    if (slot.isSleeping) return;
    slot.report = islands.chains[worker].solve(slot.problem, state.warm, slot.solution);
    holdUnsolved(slot);
  };
  islands.workers->run(islands.count, std::cref(task));

  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (isSleeping(islands, {static_cast<int>(i)})) islands.velocity[i].setZero();
  bool solved = true;
  for (int k = 0; k < islands.count; ++k) {
    const IslandSlot& slot = *islands.slots[k];
    if (slot.isSleeping) continue;
    solved = solved && (slot.report.solve.solved || slot.problem.hasSweptContacts());
    const auto ids = slot.problem.bodyIds();
    for (std::size_t i = 0; i < ids.size(); ++i)
      islands.velocity[ids[i].value] = block(std::span(slot.solution.u), static_cast<int>(i));
  }
  return isWithinMargin(model, work, solved);
}

}  // namespace tenon::physics
