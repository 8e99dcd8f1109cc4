// See hand_scripts.h.
#include "runtime/plan/hand_scripts.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

using content::Waypoint;
using content::WaypointFrame;
using physics::Pose;
using physics::Vector3d;

/// Mean speed of a hand that reaches for a part: MTM-1, reach of 50 cm in case B, 0.7 s [m/s].
constexpr double kHandSpeed = 0.7;
constexpr double kRotationSpeed = 4;  ///< unhurried [rad/s]
constexpr double kMinMoveTime = 0.2;  ///< shortest motion between two waypoints [s]
constexpr double kReleaseTime = 0.1;  ///< [s]
/// Rotation between two waypoints of a part whose origin is not on the axis [rad], and how near it is on it
/// [m].
constexpr double kArcTurn = 0.1, kOnAxis = 1e-6;
/// Height of a hand above a part [m].
constexpr double kHoverHeight = 0.05;

double durationOf(const Pose& from, const Pose& to, double speed) {
  return std::max(
      {kMinMoveTime, (to.p - from.p).norm() / speed, from.q.angularDistance(to.q) / kRotationSpeed});
}

double toMilliseconds(double time) {
  return std::round(time * 1e3) / 1e3;
}

}  // namespace

int waypointsOf(const PathLeg& leg, const std::vector<HeldPart>& held) {
  const double angle = leg.rotation.norm();
  const bool isArc = angle > 0 && std::any_of(held.begin(), held.end(), [&](const HeldPart& part) {
                       return (part.X_WP.p - leg.center).cross(leg.rotation / angle).norm() > kOnAxis;
                     });
  return isArc ? std::max(1, static_cast<int>(std::ceil(angle / kArcTurn))) : 1;
}

HandScripts::HandScripts(std::vector<content::Hand>& hands) : hands_(hands) {
  for (const content::Hand& hand : hands) ends_.push_back(hand.X_WH.p);
}

Waypoint& HandScripts::add(std::size_t hand, const Pose* X_W, WaypointFrame frame) {
  Waypoint waypoint;
  waypoint.time = toMilliseconds(time_);
  if (X_W) waypoint.X_W = *X_W;
  waypoint.frame = frame;
  hands_[hand].script.push_back(waypoint);
  return hands_[hand].script.back();
}

void HandScripts::holdUntilNow(std::size_t hand) {
  const std::vector<Waypoint>& script = hands_[hand].script;
  const double last = script.empty() ? 0 : script.back().time;
  if (toMilliseconds(time_) > last) add(hand, nullptr, WaypointFrame::hand);
}

Waypoint& HandScripts::wait(std::size_t hand, double duration) {
  time_ += duration;
  return add(hand, nullptr, WaypointFrame::hand);
}

void HandScripts::moveHand(std::size_t hand, const Vector3d& p_W) {
  holdUntilNow(hand);
  const Pose X_WH = Pose::at(p_W);
  time_ += std::max(kMinMoveTime, (p_W - ends_[hand]).norm() / kHandSpeed);
  add(hand, &X_WH, WaypointFrame::hand);
  ends_[hand] = p_W;
}

void HandScripts::grasp(std::size_t hand, int part, const Vector3d& p_W, const Vector3d& up) {
  moveHand(hand, p_W + kHoverHeight * up);
  moveHand(hand, p_W);
  hands_[hand].script.back().grab = part;
}

void HandScripts::release(std::size_t hand, const Vector3d& up, double height) {
  holdUntilNow(hand);
  wait(hand, kReleaseTime).release = true;
  moveHand(hand, ends_[hand] + std::max(kHoverHeight, height - ends_[hand].dot(up)) * up);
}

void HandScripts::turnPart(std::size_t hand, const Pose& to, const Vector3d& rotation, double duration) {
  holdUntilNow(hand);
  time_ += std::max(kMinMoveTime, duration);
  add(hand, &to, WaypointFrame::part).rotationVector = rotation;
}

void HandScripts::moveTogether(const std::vector<HeldPart>& held, const std::vector<Pose>& to,
                               const Vector3d& rotation, double speed) {
  double duration = 0;
  for (std::size_t k = 0; k < held.size(); ++k) {
    holdUntilNow(held[k].hand);
    duration = std::max(duration, durationOf(held[k].X_WP, to[k], speed));
  }
  time_ += duration;
  for (std::size_t k = 0; k < held.size(); ++k)
    add(held[k].hand, &to[k], WaypointFrame::part).rotationVector = rotation;
}

physics::Quaterniond HandScripts::lastOrientation(std::size_t hand,
                                                  const physics::Quaterniond& otherwise) const {
  const std::vector<Waypoint>& script = hands_[hand].script;
  return script.empty() || !script.back().X_W ? otherwise : script.back().X_W->q;
}

}  // namespace tenon::runtime
