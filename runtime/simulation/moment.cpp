// See moment.h.
#include "runtime/simulation/moment.h"

#include <algorithm>

#include "xr/hands/pose_path.h"

namespace tenon::runtime {

namespace {

double fractionAt(const Moments& moments, std::int64_t time_ns) {
  const Moment& after = *moments.after;
  if (moments.before == moments.after || after.jumped || after.span_ns <= 0) return 1;
  const double left = static_cast<double>(after.at_ns - time_ns) / static_cast<double>(after.span_ns);
  return std::clamp(1 - left, 0.0, 1.0);
}

DrawnHand drawn(const physics::HandState& before, const physics::HandState& after, const Moments& moments,
                double fraction) {
  DrawnHand hand;
  hand.X_WH = xr::poseBetween(before.X_WH, after.X_WH, fraction);
  if (!after.body.valid()) return hand;
  hand.part = after.body.value;
  const auto body = static_cast<std::size_t>(after.body.value);
  // Both with the grip of now: what the hand held before is another story.
  hand.X_WA = xr::poseBetween(moments.before->record.tick.bodies[body].X_WC * after.X_CH,
                              moments.after->record.tick.bodies[body].X_WC * after.X_CH, fraction);
  hand.anchor_W = hand.X_WA.p;
  hand.force = after.force;
  hand.torque = after.torque;
  return hand;
}

}  // namespace

void drawnAt(const Moments& moments, std::int64_t time_ns, DrawnState& out) {
  const double fraction = fractionAt(moments, time_ns);
  const Moments& from = fraction >= 1 ? Moments{moments.after, moments.after} : moments;
  const Moment &before = *from.before, &after = *from.after;
  out.fraction = fraction;
  out.X_WP.resize(after.X_WP.size());
  for (std::size_t k = 0; k < after.X_WP.size(); ++k)
    out.X_WP[k] = xr::poseBetween(before.X_WP[k], after.X_WP[k], fraction);
  const auto &a = before.record.tick.hands, &b = after.record.tick.hands;
  out.hands.resize(b.size());
  for (std::size_t h = 0; h < b.size(); ++h) out.hands[h] = drawn(a[h], b[h], from, fraction);
}

std::shared_ptr<Moment> MomentPool::fresh() {
  std::unique_ptr<Moment> moment;
  {
    const std::lock_guard lock(mutex_);
    if (!spares_.empty()) {
      moment = std::move(spares_.back());
      spares_.pop_back();
    }
  }
  if (!moment) moment = std::make_unique<Moment>();
  return {moment.release(), [pool = shared_from_this()](Moment* used) {
            std::unique_ptr<Moment> back(used);
            back->scene.reset();
            const std::lock_guard lock(pool->mutex_);
            if (pool->spares_.size() < kSpares) pool->spares_.push_back(std::move(back));
          }};
}

std::size_t MomentPool::spares() const {
  const std::lock_guard lock(mutex_);
  return spares_.size();
}

}  // namespace tenon::runtime
