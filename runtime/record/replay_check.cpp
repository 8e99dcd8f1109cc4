// See replay_check.h.
#include "runtime/record/replay_check.h"

namespace tenon::runtime {

namespace {

using physics::BodyState;

bool same(const BodyState& a, const BodyState& b) {
  return a.X_WC.p == b.X_WC.p && a.X_WC.q.coeffs() == b.X_WC.q.coeffs() && a.v == b.v && a.omega == b.omega;
}

/// Difference of the first body that differs.
std::optional<BodyDifference> stateDifferenceOf(const RecordedStep& recorded,
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
    ++first->differingBodies;
  }
  return first;
}

}  // namespace

ReplayCheck verifyReplay(SessionReader& session, Resimulation* resimulation,
                         const std::function<bool(double)>& progress) {
  ReplayCheck result;
  RecordedStep recorded;
  while (session.next(recorded)) {
    if (!progress(recorded.time)) return result;
    result.steps = recorded.tick;
    if (resimulation == nullptr) continue;
    resimulation->step(recorded);
    if (!result.firstDifferent && resimulation->world().stateHash() != recorded.stateHash) {
      result.firstDifferent = recorded.tick;
      result.time = recorded.time;
    }
    if (!result.firstDifferent || !recorded.keyframe) continue;
    result.body = stateDifferenceOf(recorded, resimulation->world().stepResult().bodies);
    if (result.body) return result;
  }
  return result;
}

}  // namespace tenon::runtime
