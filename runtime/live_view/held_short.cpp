// See held_short.h.
#include "runtime/live_view/held_short.h"

namespace tenon::runtime {

bool isHeldShort(const SimulationFrame& frame, std::size_t goal) {
  const GoalResult& result = frame.goals[goal];
  if (result.verdict != Verdict::jammed && result.verdict != Verdict::blocked) return false;
  const content::Goal& wanted = frame.scene->goals[goal];
  const double remaining = wanted.depth - wanted.depthTolerance - result.depth;
  if (wanted.pose || remaining <= 0 || remaining >= kHeldShort) return false;
  const physics::Vector3d outward =
      frame.X_WP[static_cast<std::size_t>(wanted.into)].q * (wanted.X_IH.q * physics::Vector3d::UnitZ());
  bool held = false;
  double pull = 0;  // of the targets beyond the grabbed points, into the hole [m]
  for (const physics::HandState& hand : frame.record.tick.hands) {
    if (hand.body.value != wanted.part) continue;
    held = true;
    const physics::Pose& X_WC = frame.record.tick.bodies[static_cast<std::size_t>(hand.body.value)].X_WC;
    pull = std::max(pull, (X_WC * hand.X_CH.p - hand.X_WH.p).dot(outward));
  }
  return held && pull < remaining;
}

}  // namespace tenon::runtime
