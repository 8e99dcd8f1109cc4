// Where a part stands in its hole, how hard it is pushed, and what that amounts to.
#include "runtime/assess/goal_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/assess/hole_fit.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Where the part's frame stands in the frame of its body's state. Bodies that are not dynamic have
/// the part's own origin for their centre, whatever the scene says of their mass.
Pose partInBody(const content::Part& part) {
  const bool hasMass = part.motion == physics::Motion::dynamic;
  return {physics::Quaterniond::Identity(),
          hasMass ? Vector3d(-part.mass.centre) : Vector3d(Vector3d::Zero())};
}

}  // namespace

std::string_view toText(Verdict verdict) {
  switch (verdict) {
    case Verdict::inserted:
      return "inserted";
    case Verdict::jammed:
      return "jammed";
    case Verdict::blocked:
      return "blocked";
    case Verdict::pending:
      return "pending";
    case Verdict::released:
      return "released";
  }
  return "";
}

struct GoalWatch::Stand {
  double depth = 0;    ///< of the tip below the mouth [m]
  double lateral = 0;  ///< of the tip from the axis [m]
  double tilt = 0;     ///< [rad]
  Vector3d axis_W;     ///< of the hole, outwards
};

GoalWatch::GoalWatch(const content::Scene& scene, int goal) {
  const content::Goal& g = scene.goals[static_cast<std::size_t>(goal)];
  const content::Part& part = scene.parts[static_cast<std::size_t>(g.part)];
  const content::Part& into = scene.parts[static_cast<std::size_t>(g.into)];
  const content::AxisFeature& feature = part.features[static_cast<std::size_t>(g.feature)];
  part_ = physics::BodyId{g.part};
  into_ = physics::BodyId{g.into};
  tip_C_ = partInBody(part) * feature.origin;
  direction_C_ = feature.direction;
  X_IcH_ = partInBody(into) * g.X_IH;
  depth_ = g.depth - g.depthTolerance;
  tiltTolerance_ = g.tiltTolerance;
  timeLimit_ = g.timeLimit;
  const auto hole = holeOf(scene, g);
  radius_ = hole ? hole->radius : std::numeric_limits<double>::infinity();
  leadIn_ = hole ? hole->chamferDepth : 0;
  mouth_ = hole ? hole->radius + hole->chamferWidth : 0;
  lastProgressDepth_ = -std::numeric_limits<double>::infinity();
  result_.goal = goal;
}

GoalWatch::Stand GoalWatch::standAt(const physics::Tick& tick) const {
  const Pose& X_WC = tick.bodies[static_cast<std::size_t>(part_.value)].X_WC;
  const Pose X_WH = tick.bodies[static_cast<std::size_t>(into_.value)].X_WC * X_IcH_;
  const Vector3d tip_H = X_WH.inverse() * (X_WC * tip_C_);
  const Vector3d direction_H = X_WH.q.conjugate() * (X_WC.q * direction_C_);
  Stand stand;
  stand.depth = -tip_H.z();
  stand.lateral = tip_H.head<2>().norm();
  // By atan2: the arc cosine loses half the digits near 0.
  stand.tilt = std::atan2(direction_H.head<2>().norm(), -direction_H.z());
  stand.axis_W = X_WH.q * Vector3d::UnitZ();
  return stand;
}

double GoalWatch::pushAt(const physics::Tick& tick, const Vector3d& axis_W) const {
  double push = 0;
  for (const physics::ContactForce& c : tick.contacts) {
    const bool ours =
        (c.contact.i == part_ && c.contact.j == into_) || (c.contact.i == into_ && c.contact.j == part_);
    if (!ours) continue;
    const double sign = c.contact.j == part_ ? 1 : -1;  // f pushes j along n, i against it
    push += sign * c.force * c.contact.n.dot(axis_W);
  }
  return std::max(push, 0.0);
}

void GoalWatch::watchStandstill(double time, bool held, bool inHole) {
  const bool wasHeld = std::exchange(held_, held);
  if (held && !wasHeld) {  // a new attempt
    everHeld_ = true;
    lastProgressTime_ = time;
    stuck_ = false;
  }
  if (std::abs(result_.depth - lastProgressDepth_) >= kStandstillProgress) {
    lastProgressDepth_ = result_.depth;
    lastProgressTime_ = time;
    if (held || !everHeld_) stuck_ = false;
  }
  if (!held && everHeld_) return;
  if (result_.push < kPushForce) lastProgressTime_ = time;
  if (time - lastProgressTime_ < kStandstillTime) return;
  stuck_ = true;
  stuckInHole_ = inHole;
}

Verdict GoalWatch::verdict(bool reached) const {
  if (reached) return insertedInTime_ ? Verdict::inserted : Verdict::pending;
  if (stuck_) return stuckInHole_ ? Verdict::jammed : Verdict::blocked;
  return everHeld_ && !held_ ? Verdict::released : Verdict::pending;
}

void GoalWatch::add(const physics::Tick& tick) {
  const Stand stand = standAt(tick);
  result_.depth = stand.depth;
  result_.tilt = stand.tilt;
  const bool held = std::any_of(tick.hands.begin(), tick.hands.end(),
                                [this](const physics::HandState& hand) { return hand.body == part_; });
  // A part that no hand holds and that lies elsewhere - a screw that waits beside its hole - pushes nothing.
  const bool atMouth = stand.lateral <= 2 * mouth_ && stand.depth >= -mouth_;
  result_.push = atMouth || held ? pushAt(tick, stand.axis_W) : 0;
  result_.maxPush = std::max(result_.maxPush, result_.push);
  const bool within = stand.lateral <= radius_;
  const bool reached = within && stand.depth >= depth_ && stand.tilt <= tiltTolerance_;
  watchStandstill(tick.time, held, within && stand.depth > leadIn_);
  if (!insertedInTime_) {
    result_.time = tick.time;
    insertedInTime_ = reached && tick.time <= timeLimit_;
  }
  result_.verdict = verdict(reached);
}

}  // namespace tenon::runtime
