// Parts that lie still. Once nothing in an island has moved for a while but by rounding, a step would find
// again what it found last: the island keeps its state and its forces, and is not solved. It wakes with the
// first step in which a hand, a joint or a moving part belongs to it: islands are made of what could touch
// within the step, so that is before that part touches it, and a part that carried something and goes away is
// still in reach in the step in which it goes. A part that is taken away by a command wakes all.
#include <algorithm>

#include "physics/step/step_state.h"

namespace tenon::physics {

namespace {

/// Slower than this a point of a body is still [m/s]: 0.1 nm in a second. Rounding makes some 1e-15 of a
/// screw in its rack and up to 6e-11 of a block in a pile.
constexpr double kStillSpeed = 1e-10;
/// For so many steps before it rests: what swings is slow for fewer where it turns back.
constexpr int kStillSteps = 100;

bool isHeld(const StepState& s, std::size_t body) {
  return std::any_of(s.hands.begin(), s.hands.end(), [body](const HandSlot& hand) {
    return hand.state.body.value == static_cast<int>(body);
  });
}

}  // namespace

bool isSleeping(const StepState& s, BodyId body) {
  const int k = s.islands.islandOf(body);
  return k >= 0 && s.islandSlots[k]->isSleeping;
}

bool keepsContacts(const StepState& s, BodyId i, BodyId j) {
  return (isSleeping(s, i) || isSleeping(s, j)) &&
         std::binary_search(s.touching.begin(), s.touching.end(), BodyPair{i, j});
}

void wakeAll(StepState& s) {
  std::fill(s.stillSteps.begin(), s.stillSteps.end(), 0);
}

void allowSleep(StepState& s) {
  for (int k = 0; k < s.islandCount; ++k) s.islandSlots[k]->isSleeping = s.options.allowSleep;
  const auto wake = [&s](BodyId body) {
    if (const int k = s.islands.islandOf(body); k >= 0) s.islandSlots[k]->isSleeping = false;
  };
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    if (s.dynamic[i] && (s.stillSteps[i] < kStillSteps || isHeld(s, i))) wake({static_cast<int>(i)});
  for (const BodyPair& pair : s.touching)
    for (const auto& [one, other] : {std::pair(pair.i, pair.j), std::pair(pair.j, pair.i)})
      if (!s.dynamic[one.value] && !s.freeVelocity[one.value].isZero(0)) wake(other);
  for (std::size_t n = 0; n < s.joints.size(); ++n) {
    if (s.screwJoints[n].phase == JointPhase::apart) continue;
    if (s.joints[n].description.i.valid()) wake(s.joints[n].description.i);
    wake(s.joints[n].description.j);
  }
}

void countStillSteps(StepState& s) {
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const BodyId id{static_cast<int>(i)};
    BodyState& state = s.states[i];
    if (isSleeping(s, id)) {
      state.v.setZero();
      state.omega.setZero();
      continue;
    }
    if (!s.dynamic[i]) continue;
    const int k = s.islands.islandOf(id);
    const auto isSlow = [&](const Vector3d& v, const Vector3d& omega) {
      return v.norm() + s.bodies[i].radius * omega.norm() <= kStillSpeed;
    };
    const bool stillSteps = k >= 0 && s.islandSlots[k]->report.solve.solved && !isHeld(s, i) &&
                            isSlow(state.v, state.omega) &&
                            isSlow(s.velocity[i].head<3>(), s.velocity[i].tail<3>());
    s.stillSteps[i] = stillSteps ? std::min(s.stillSteps[i] + 1, kStillSteps) : 0;
  }
}

}  // namespace tenon::physics
