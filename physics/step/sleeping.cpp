// Sleeping islands. Once nothing in an island has moved for a while, up to rounding, solving it again would
// give the last result: the island keeps its state and its forces and is not solved. It wakes in the first
// step in which a hand, a joint or a moving body belongs to it. Islands hold all bodies that can touch within
// the step: they wake before the moving body touches them, and a body that moves away is still within the
// margin in that step. A command that places a body wakes all islands.
#include <algorithm>

#include "physics/step/stages.h"

namespace tenon::physics {

namespace {

/// Maximum speed of the points of a still body [m/s]: 0.1 nm in a second. Rounding gives about 1e-15 for a
/// screw in its rack and up to 6e-11 for a block in a pile.
constexpr double kStillSpeed = 1e-10;
/// And the speed per sum of the forces on a body [m/(s N)]: contacts with friction yield a little along
/// the surfaces, too (kFrictionalRelativeCompliance). An M8 that clamps with 10 kN turns by 2e-7 rad/s.
constexpr double kStillSpeedPerForce = 3e-13;
/// Speed of a body above which its forces are not added up [m/s].
constexpr double kNeverStillSpeed = 1e-7;
/// Number of still steps before a body can sleep: a swinging body is slow for fewer steps at its turning
/// point.
constexpr int kStillSteps = 100;

bool isHeld(const WorldState& state, std::size_t body) {
  return std::any_of(state.hands.begin(), state.hands.end(), [body](const HandSlot& hand) {
    return hand.state.body.value == static_cast<int>(body);
  });
}

/// Of the contacts of a body in its island [N].
double sumOfForces(const IslandSlot& slot, BodyId body) {
  const int local = slot.problem.local(body);
  double sum = 0;
  for (std::size_t c = 0; c < slot.solution.f.size(); ++c)
    if (const ContactRow& row = slot.solution.solved[c]; row.a == local || row.b == local)
      sum += slot.solution.f[c];
  return sum;
}

}  // namespace

bool isSleeping(const IslandWork& islands, BodyId body) {
  const int k = islands.partition.islandOf(body);
  return k >= 0 && islands.slots[k]->isSleeping;
}

bool keepsContacts(const StepWorkspace& work, BodyId i, BodyId j) {
  const std::vector<BodyPair>& touching = work.search.touching;
  return (isSleeping(work.islands, i) || isSleeping(work.islands, j)) &&
         std::binary_search(touching.begin(), touching.end(), BodyPair{i, j});
}

void wakeAll(WorldState& state) {
  std::fill(state.stillSteps.begin(), state.stillSteps.end(), 0);
}

void markSleepingIslands(const WorldModel& model, const WorldState& state, StepWorkspace& work) {
  IslandWork& islands = work.islands;
  for (int k = 0; k < islands.count; ++k) islands.slots[k]->isSleeping = model.options.allowSleep;
  const auto wake = [&islands](BodyId body) {
    if (const int k = islands.partition.islandOf(body); k >= 0) islands.slots[k]->isSleeping = false;
  };
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.dynamic[i] && (state.stillSteps[i] < kStillSteps || isHeld(state, i)))
      wake({static_cast<int>(i)});
  for (const BodyPair& pair : work.search.touching)
    for (const auto& [one, other] : {std::pair(pair.i, pair.j), std::pair(pair.j, pair.i)})
      if (!model.dynamic[one.value] && !work.free.velocity[one.value].isZero(0)) wake(other);
  for (const PlacedJoint& joint : model.joints) {
    if (joint.description.i.valid()) wake(joint.description.i);
    wake(joint.description.j);
  }
}

void countStillSteps(const WorldModel& model, WorldState& state, const StepWorkspace& work) {
  const IslandWork& islands = work.islands;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const BodyId id{static_cast<int>(i)};
    BodyState& body = state.bodies[i];
    if (isSleeping(islands, id)) {
      body.v.setZero();
      body.omega.setZero();
      continue;
    }
    if (!model.dynamic[i]) continue;
    const int k = islands.partition.islandOf(id);
    state.accuracy[i] = k >= 0 ? islands.slots[k]->report.accuracy : Accuracy::exact;
    const auto isSlow = [&](const Vector3d& v, const Vector3d& omega) {
      const double speed = v.norm() + model.radius[i] * omega.norm();
      return speed <= kStillSpeed || (speed <= kNeverStillSpeed && k >= 0 &&
                                      speed <= kStillSpeedPerForce * sumOfForces(*islands.slots[k], id));
    };
    const bool isStill = k >= 0 && islands.slots[k]->report.solve.solved && !isHeld(state, i) &&
                         isSlow(body.v, body.omega) &&
                         isSlow(islands.velocity[i].head<3>(), islands.velocity[i].tail<3>());
    const int next = std::min(state.stillSteps[i] + work.substep.isLast(), kStillSteps);
    state.stillSteps[i] = isStill ? next : 0;
  }
}

}  // namespace tenon::physics
