// See replay_check.h.
#include "runtime/record/replay_check.h"

#include <fmt/format.h>

#include <stdexcept>

namespace tenon::runtime {

namespace {

using physics::BodyState;

bool same(const BodyState& a, const BodyState& b) {
  return a.X_WC.p == b.X_WC.p && a.X_WC.q.coeffs() == b.X_WC.q.coeffs() && a.v == b.v && a.omega == b.omega;
}

/// Of the first body that differs.
std::optional<BodyDifference> differenceOf(const RecordedTick& recorded,
                                           const std::vector<BodyState>& states) {
  std::optional<BodyDifference> first;
  for (std::size_t b = 0; b < states.size(); ++b) {
    const BodyState& was = recorded.states[b];
    const BodyState& is = states[b];
    if (same(was, is)) continue;
    if (!first)
      first = BodyDifference{recorded.tick,
                             static_cast<int>(b),
                             (is.X_WC.p - was.X_WC.p).norm(),
                             physics::logarithm(is.X_WC.q * was.X_WC.q.conjugate()).norm(),
                             (is.v - was.v).norm(),
                             (is.omega - was.omega).norm(),
                             0};
    ++first->bodiesOffInAll;
  }
  return first;
}

void step(physics::World& world, const RecordedTick& recorded, const SessionReader& session) {
  try {
    for (const physics::Command& command : recorded.commands) world.apply(command);
  } catch (const std::invalid_argument& error) {
    session.fail(fmt::format("tick {}", recorded.tick),
                 fmt::format("has a command that cannot be: {}", error.what()));
  }
  world.step();
}

}  // namespace

ReplayCheck check(SessionReader& session, physics::World* world,
                  const std::function<bool(double)>& progress) {
  ReplayCheck result;
  if (world != nullptr && world->bodyCount() != session.bodies().size())
    session.fail("body", fmt::format("has {} rows, and the scene {} parts", session.bodies().size(),
                                     world->bodyCount()));
  RecordedTick recorded;
  while (session.next(recorded)) {
    if (!progress(recorded.time)) return result;
    result.steps = recorded.tick;
    if (world == nullptr) continue;
    if (recorded.tick > 0) step(*world, recorded, session);
    if (!result.firstDifferent && world->stateHash() != recorded.stateHash) {
      result.firstDifferent = recorded.tick;
      result.time = recorded.time;
    }
    if (!result.firstDifferent || !recorded.keyframe) continue;
    result.body = differenceOf(recorded, world->tick().bodies);
    if (result.body) return result;
  }
  return result;
}

}  // namespace tenon::runtime
