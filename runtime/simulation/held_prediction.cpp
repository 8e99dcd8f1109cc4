// See held_prediction.h.
#include "runtime/simulation/held_prediction.h"

#include <algorithm>

namespace tenon::runtime {

namespace {

using physics::BodyState;
using physics::Pose;
using physics::Vector3d;

/// Bodies move along with a held one if their velocities differ from its rigid motion by at most this.
constexpr double kMaxRelativeSpeed = 0.002, kMaxRelativeShare = 0.05;  ///< [m/s], [-] of the speed

Vector3d velocityAt(const BodyState& body, const Vector3d& p) {
  return body.v + body.omega.cross(p - body.X_WC.p);
}

bool movesAlong(const BodyState& body, const BodyState& held) {
  const Vector3d rigid = velocityAt(held, body.X_WC.p);
  return (body.v - rigid).norm() <= kMaxRelativeSpeed + kMaxRelativeShare * rigid.norm();
}

/// By body: held, or moving along with a held one.
std::vector<bool> carriedBodies(const physics::StepResult& step) {
  std::vector<bool> carried(step.bodies.size(), false);
  for (const physics::HandState& hand : step.hands) {
    if (!hand.body.valid()) continue;
    const BodyState& held = step.bodies[static_cast<std::size_t>(hand.body.value)];
    for (std::size_t k = 0; k < carried.size(); ++k)
      carried[k] = carried[k] || movesAlong(step.bodies[k], held);
    carried[static_cast<std::size_t>(hand.body.value)] = true;
  }
  return carried;
}

/// The time within which no contact of a predicted body closes by more than its gap [s], at most `time`.
/// `shares`: by body, of the prediction that is applied.
double timeToContact(const physics::StepResult& step, const std::vector<double>& shares, double time) {
  for (const physics::ContactForce& one : step.contacts) {
    const auto i = static_cast<std::size_t>(one.contact.i.value),
               j = static_cast<std::size_t>(one.contact.j.value);
    const auto speedOf = [&](std::size_t body) -> Vector3d {
      return shares[body] * velocityAt(step.bodies[body], one.contact.p);
    };
    const double closing = (speedOf(i) - speedOf(j)).dot(one.contact.n);
    const double room = std::max(one.contact.separation, 0.0) + HeldPrediction::kOvershoot;
    if (closing * time > room) time = room / closing;
  }
  return time;
}

/// The motion of a body by its velocities within `time` [s].
Pose displacement(const BodyState& body, double time) {
  Pose X;
  X.q = physics::exponential(time * body.omega);
  X.p = body.X_WC.p + time * body.v - X.q * body.X_WC.p;
  return X;
}

}  // namespace

void HeldPrediction::apply(const FrameBuffer& frameBuffer, std::int64_t now_ns, std::int64_t moveDuration_ns,
                           double frameTime, InterpolatedState& drawn) {
  const SimulationFrame& frame = *frameBuffer.after;
  const physics::StepResult& step = frame.record.tick;
  shares_.resize(step.bodies.size(), 0);
  if (frame.discontinuous) std::fill(shares_.begin(), shares_.end(), 0);
  const std::vector<bool> carried = carriedBodies(step);
  const double change = frameTime / kEase;
  for (std::size_t k = 0; k < shares_.size(); ++k)
    shares_[k] = std::clamp(shares_[k] + (carried[k] ? change : -change), 0.0, 1.0);
  if (frame.status.paused) return;
  const std::int64_t late_ns = std::max<std::int64_t>(now_ns - frame.displayTime_ns, 0);
  const double time = timeToContact(
      step, shares_,
      std::clamp(1e-9 * frame.status.speed * static_cast<double>(late_ns + moveDuration_ns), 0.0, kMaxTime));
  for (std::size_t k = 0; k < std::min(shares_.size(), drawn.X_WP.size()); ++k)
    if (shares_[k] > 0) drawn.X_WP[k] = displacement(step.bodies[k], shares_[k] * time) * drawn.X_WP[k];
  for (InterpolatedHand& hand : drawn.hands) {
    if (hand.part < 0) continue;
    const auto body = static_cast<std::size_t>(hand.part);
    const Pose X = displacement(step.bodies[body], shares_[body] * time);
    hand.X_WA = X * hand.X_WA;
    hand.anchor_W = hand.X_WA.p;
  }
}

}  // namespace tenon::runtime
