// See simulation_frame.h.
#include "runtime/simulation/simulation_frame.h"

#include <algorithm>

#include "xr/hands/pose_interpolation.h"

namespace tenon::runtime {

namespace {

double fractionAt(const FrameBuffer& frameBuffer, std::int64_t time_ns) {
  const SimulationFrame& after = *frameBuffer.after;
  if (frameBuffer.before == frameBuffer.after || after.discontinuous || after.displayInterval_ns <= 0)
    return 1;
  const double left =
      static_cast<double>(after.displayTime_ns - time_ns) / static_cast<double>(after.displayInterval_ns);
  return std::clamp(1 - left, 0.0, 1.0);
}

InterpolatedHand drawn(const physics::HandState& before, const physics::HandState& after,
                       const FrameBuffer& frameBuffer, double fraction) {
  InterpolatedHand hand;
  hand.X_WH = xr::interpolatePose(before.X_WH, after.X_WH, fraction);
  if (!after.body.valid()) return hand;
  hand.part = after.body.value;
  const auto body = static_cast<std::size_t>(after.body.value);
  // Both frames with the present grasp, whatever the hand held before.
  hand.X_WA = xr::interpolatePose(frameBuffer.before->record.tick.bodies[body].X_WC * after.X_CH,
                                  frameBuffer.after->record.tick.bodies[body].X_WC * after.X_CH, fraction);
  hand.anchor_W = hand.X_WA.p;
  hand.force = after.force;
  hand.torque = after.torque;
  return hand;
}

}  // namespace

void interpolateAt(const FrameBuffer& frameBuffer, std::int64_t time_ns, InterpolatedState& out) {
  const double fraction = fractionAt(frameBuffer, time_ns);
  const FrameBuffer& from = fraction >= 1 ? FrameBuffer{frameBuffer.after, frameBuffer.after} : frameBuffer;
  const SimulationFrame &before = *from.before, &after = *from.after;
  out.fraction = fraction;
  out.X_WP.resize(after.X_WP.size());
  for (std::size_t k = 0; k < after.X_WP.size(); ++k)
    out.X_WP[k] = xr::interpolatePose(before.X_WP[k], after.X_WP[k], fraction);
  const auto &a = before.record.tick.hands, &b = after.record.tick.hands;
  out.hands.resize(b.size());
  for (std::size_t h = 0; h < b.size(); ++h) out.hands[h] = drawn(a[h], b[h], from, fraction);
}

std::shared_ptr<SimulationFrame> FramePool::acquire() {
  std::unique_ptr<SimulationFrame> moment;
  {
    const std::lock_guard lock(mutex_);
    if (!spares_.empty()) {
      moment = std::move(spares_.back());
      spares_.pop_back();
    }
  }
  if (!moment) moment = std::make_unique<SimulationFrame>();
  return {moment.release(), [pool = shared_from_this()](SimulationFrame* used) {
            std::unique_ptr<SimulationFrame> back(used);
            back->scene.reset();
            const std::lock_guard lock(pool->mutex_);
            if (pool->spares_.size() < kSpares) pool->spares_.push_back(std::move(back));
          }};
}

std::size_t FramePool::spares() const {
  const std::lock_guard lock(mutex_);
  return spares_.size();
}

}  // namespace tenon::runtime
