// Stage 3 of a step: search margins, the pairs that can touch, and the islands they form.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "physics/contact/search_range.h"
#include "physics/math/tolerances.h"
#include "physics/step/motion_bound.h"
#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Margin of a body that moved further than its last margin, as a multiple of that displacement [-].
constexpr double kOvershotMarginFactor = 2;

/// `u`, scaled down if it moves a point of the body further than `limit` [m].
Vector6d limited(const WorldModel& model, const Substep& substep, std::size_t i, const Vector6d& u,
                 double limit) {
  const double displacement = displacementBound(model, substep, i, u);
  return displacement > limit ? Vector6d(limit / displacement * u) : u;
}

Vector6d bodyVelocity(const BodyState& body) {
  Vector6d u;
  u << body.v, body.omega;
  return u;
}

/// The velocity of the last step, limited to a displacement of `limit` [m], plus a small share of the change
/// by all forces, of contacts as in the last step: a part that rests stays where it is, and one in a corner
/// leaves it on the side to which it is pushed.
Vector6d predictedVelocity(const WorldModel& model, const WorldState& state, const StepWorkspace& work,
                           std::size_t i, double limit) {
  const Vector6d& free = work.free.velocity[i];
  if (!model.dynamic[i]) return free;
  const Vector6d now = bodyVelocity(state.bodies[i]);
  const Vector6d change = free - now + work.substep.dt * state.contactAcceleration[i];
  return limited(model, work.substep, i, now, limit) +
         limited(model, work.substep, i, change, kPredictedForceDisplacement);
}

/// With Accuracy::fast islands of several bodies start from a prediction further ahead.
void predictAhead(const WorldModel& model, const WorldState& state, StepWorkspace& work) {
  if (model.options.solver != SolverName::automatic ||
      model.options.solverOptions.accuracy == Accuracy::exact)
    return;
  const double limit =
      std::max(kPredictedDisplacement,
               std::min(kFastPredictedDisplacement, kFastPredictedFraction * model.minThickness));
  const Islands& partition = work.islands.partition;
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (const int k = partition.islandOf({static_cast<int>(i)}); k >= 0 && partition.size(k) > 1)
      work.search.predicted[i] = predictedVelocity(model, state, work, i, limit);
}

/// Sets each body's search margin and the velocity of its first trial state.
void setMargins(const WorldModel& model, const WorldState& state, StepWorkspace& work, bool again) {
  ContactSearch& search = work.search;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].description.motion == MotionType::fixed) {
      search.margin[i] = 0;
    } else if (again) {
      // From where the body met another, or from the state that the last attempt reached, within its margin.
      const Vector6d& u = work.islands.velocity[i];
      const bool met = std::isfinite(work.sweep.earliest[i]);
      search.predicted[i] = met ? work.sweep.trial[i] : limited(model, work.substep, i, u, search.margin[i]);
      work.sweep.earliest[i] = std::numeric_limits<double>::infinity();
      search.margin[i] =
          std::max(search.margin[i], kOvershotMarginFactor * displacementBound(model, work.substep, i, u));
    } else {
      const double displacement =
          std::max(displacementBound(model, work.substep, i, bodyVelocity(state.bodies[i])),
                   displacementBound(model, work.substep, i, work.free.velocity[i]));
      search.predicted[i] = predictedVelocity(model, state, work, i, kPredictedDisplacement);
      search.margin[i] = kSearchMarginFactor * displacement + kSearchMargin;
    }
  }
}

/// Keeps the pairs that have a contact within their margins at the start of the step. A body with a given
/// motion is taken at its pose at the end of the step, where its contacts are solved.
void findTouchingPairs(const WorldModel& model, const WorldState& state, StepWorkspace& work) {
  ContactSearch& search = work.search;
  model.collider->findPairs(work.free.start, search.margin, search.pairs);
  std::erase_if(search.pairs, [&](const BodyPair& pair) { return !canTouch(model, work, pair); });
  // Contacts of the last step are those at these poses, unless it failed, reused distances of others
  // (accuracy fast), or a body with a given motion moves.
  const StepReport& last = state.result.report;
  bool areKnown = last.converged && last.accuracy == Accuracy::exact;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    search.queryPoses[i] = model.dynamic[i] ? work.free.start[i] : work.free.end[i];
    areKnown = areKnown && (model.dynamic[i] || work.free.velocity[i].isZero(0));
  }
  search.distanceCache.findTouching(
      *model.collider, search.queryPoses, model.radius, search.pairs, search.margin, model.thickness,
      areKnown ? std::span(state.contacts) : std::span<const Contact>(), search.touching);
}

/// Upper bound on the displacement of the points of a thread in the step at velocity u of its body [m]: of a
/// screw that turns, far less than that of its head's and tip's bounds. X_WT: frame of the thread; `range`
/// along its z.
double displacementOfThread(const Pose& X_WC, const Pose& X_WT, const Eigen::Vector2d& range, double radius,
                            const Vector6d& u, double dt) {
  const Vector3d omega = u.tail<3>(), middle = X_WT * Vector3d(0, 0, range.mean());
  const Vector3d v = u.head<3>() + omega.cross(middle - X_WC.p);
  const double swing = omega.cross(X_WT.q * Vector3d::UnitZ()).norm();
  return dt * (v.norm() + 0.5 * (range.y() - range.x()) * swing + radius * omega.norm());
}

/// The sum of two bodies' search margins for their threads alone [m]; infinite: they have none.
double marginsOfThreads(const WorldModel& model, const WorldState& state, const StepWorkspace& work,
                        const BodyPair& pair, bool again) {
  const auto first = std::lower_bound(model.elasticThreads.begin(), model.elasticThreads.end(), pair,
                                      [](const ElasticThread& a, const BodyPair& b) { return a.pair < b; });
  double largest = -std::numeric_limits<double>::infinity();
  for (auto thread = first; thread != model.elasticThreads.end() && thread->pair == pair; ++thread) {
    const auto marginOf = [&](BodyId id, const Pose& X_CT, const Eigen::Vector2d& range) {
      const std::size_t i = id.value;
      const Pose& X_WC = state.bodies[i].X_WC;
      const auto displacement = [&](const Vector6d& u) {
        return displacementOfThread(X_WC, X_WC * X_CT, range, thread->outerRadius, u, work.substep.dt);
      };
      return again ? kOvershotMarginFactor * displacement(work.islands.velocity[i])
                   : kSearchMarginFactor * std::max(displacement(bodyVelocity(state.bodies[i])),
                                                    displacement(work.free.velocity[i])) +
                         kSearchMargin;
    };
    largest = std::max(largest, marginOf(thread->screw(), thread->X_CE, thread->external) +
                                    marginOf(thread->nut(), thread->X_CN, thread->internal));
  }
  return largest > 0 ? largest : std::numeric_limits<double>::infinity();
}

/// Lists the pairs that may move far for their size, and adds those that met between start and end of the
/// step to those that touch. Of two that touch with threads the teeth are the thinnest, and guide the others.
void findSweptPairs(const WorldModel& model, const WorldState& state, StepWorkspace& work, bool again) {
  ContactSearch& search = work.search;
  SweepWork& sweep = work.sweep;
  sweep.pairs.clear();
  for (const BodyPair& pair : search.pairs) {
    const int i = pair.i.value, j = pair.j.value;
    const double unswept = unsweptDisplacement(model.thickness[i], model.thickness[j]);
    if (search.margin[i] + search.margin[j] <= unswept) continue;
    const bool isGuided = std::binary_search(search.touching.begin(), search.touching.end(), pair) &&
                          marginsOfThreads(model, state, work, pair, again) <= unswept;
    if (!isGuided) sweep.pairs.push_back(pair);
  }
  if (sweep.met.empty()) return;
  search.touching.insert(search.touching.end(), sweep.met.begin(), sweep.met.end());
  std::sort(search.touching.begin(), search.touching.end());
  search.touching.erase(std::unique(search.touching.begin(), search.touching.end()), search.touching.end());
}

/// Pairs that belong to one problem: those that touch, and those that a joint connects.
void coupleJoined(const WorldModel& model, StepWorkspace& work) {
  ContactSearch& search = work.search;
  search.coupled.assign(search.touching.begin(), search.touching.end());
  for (const PlacedJoint& joint : jointsOf(model, work)) {
    const auto [i, j] = std::pair(joint.description.i, joint.description.j);
    search.coupled.push_back(i.valid() ? BodyPair{i, j} : BodyPair{j, j});
  }
}

int islandOf(const Islands& partition, const JointDescription& joint) {
  const int i = joint.i.valid() ? partition.islandOf(joint.i) : -1;
  return std::max(i, partition.islandOf(joint.j));
}

/// Fills the problems of all islands that do not sleep; those of sleeping islands stay empty.
void buildProblems(const WorldModel& model, const WorldState& state, StepWorkspace& work) {
  const StepView view{.collider = model.collider.get(),
                      .dt = work.substep.dt,
                      .lastStep = work.substep.last,
                      .isDivisible = work.substep.isDivisible,
                      .start = work.free.start,
                      .end = work.free.end,
                      .searchMargin = work.search.margin,
                      .thickness = model.thickness,
                      .massFactor = work.free.massFactor,
                      .freeVelocity = work.free.velocity,
                      .predicted = work.search.predicted,
                      .surfaces = &model.surfaces,
                      .restitution = state.dynamics.restitution,
                      .material = model.material,
                      .joints = jointsOf(model, work),
                      .states = state.bodies,
                      .startContacts = state.contacts,
                      .pressFits = model.pressFits,
                      .elasticThreads = model.elasticThreads,
                      .hasFixedPhases = model.hasFixedPhases};
  IslandWork& islands = work.islands;
  const Islands& partition = islands.partition;
  for (int k = 0; k < islands.count; ++k) islands.slots[k]->problem.begin(view);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const BodyId id{static_cast<int>(i)};
    const int k = partition.islandOf(id);
    if (k >= 0 && !islands.slots[k]->isSleeping) islands.slots[k]->problem.addBody(id);
  }
  for (const BodyPair& pair : work.search.touching) {
    const int k = std::max(partition.islandOf(pair.i), partition.islandOf(pair.j));
    if (k >= 0 && !islands.slots[k]->isSleeping) islands.slots[k]->problem.addPair(pair);
  }
  for (const SweptContact& swept : work.sweep.contacts) {
    const int k = std::max(partition.islandOf(swept.contact.i), partition.islandOf(swept.contact.j));
    islands.slots[k]->problem.addSwept(swept);
  }
  const std::span<const PlacedJoint> joints = jointsOf(model, work);
  for (std::size_t n = 0; n < joints.size(); ++n) {
    const int k = islandOf(partition, joints[n].description);
    if (!islands.slots[k]->isSleeping) islands.slots[k]->problem.addJoint({static_cast<int>(n)});
  }
  for (int k = 0; k < islands.count; ++k)
    if (!islands.slots[k]->isSleeping) islands.slots[k]->problem.complete();
}

}  // namespace

bool canTouch(const WorldModel& model, const StepWorkspace& work, const BodyPair& pair) {
  const std::vector<BodyPair>& coupled = work.drivers.pairs;
  return (model.dynamic[pair.i.value] || model.dynamic[pair.j.value]) &&
         !std::binary_search(model.collisionFilter.begin(), model.collisionFilter.end(), pair) &&
         std::find(coupled.begin(), coupled.end(), pair) == coupled.end();
}

double displacementBound(const WorldModel& model, const Substep& substep, std::size_t i, const Vector6d& u) {
  const double turning = u.tail<3>().norm();
  return substep.dt * (u.head<3>().norm() + (turning > 0 ? turning * model.radius[i] : 0.0));
}

void findIslands(const WorldModel& model, const WorldState& state, StepWorkspace& work, bool again) {
  setMargins(model, state, work, again);
  findTouchingPairs(model, state, work);
  findSweptPairs(model, state, work, again);
  coupleJoined(model, work);
  IslandWork& islands = work.islands;
  islands.partition.build(model.dynamic, work.search.coupled);
  if (!again) predictAhead(model, state, work);

  islands.count = islands.partition.count();
  while (static_cast<int>(islands.slots.size()) < islands.count)
    islands.slots.push_back(std::make_unique<IslandSlot>());
  markSleepingIslands(model, state, work);
  buildProblems(model, state, work);
}

}  // namespace tenon::physics
