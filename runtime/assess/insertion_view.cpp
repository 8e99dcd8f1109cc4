// Transforms a step result to the hole's frame; all forces act on the part.
#include "runtime/assess/insertion_view.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

using physics::Pose;

/// The part's frame in the frame of its body's state. The center of a body that is not dynamic is the part's
/// origin, whatever mass the scene gives.
Pose partInBody(const content::Part& part) {
  const bool hasMass = part.motion == physics::MotionType::dynamic;
  return Pose::at(hasMass ? Vector3d(-part.mass.center) : Vector3d(Vector3d::Zero()));
}

const physics::BodyState& stateOf(const physics::StepResult& tick, physics::BodyId body) {
  return tick.bodies[static_cast<std::size_t>(body.value)];
}

/// Velocity of the body's point at `p_W` [m/s].
Vector3d velocityAt(const physics::BodyState& body, const Vector3d& p_W) {
  return body.v + body.omega.cross(p_W - body.X_WC.p);
}

/// Angle of a rotation [rad].
double angleOf(const physics::Quaterniond& q) {
  return 2 * std::atan2(q.vec().norm(), std::abs(q.w()));
}

/// Rotation vector of that angle [rad].
Vector3d rotationVectorOf(const physics::Quaterniond& q) {
  const double size = q.vec().norm();
  if (!(size > 0)) return Vector3d::Zero();
  return (q.w() < 0 ? -angleOf(q) : angleOf(q)) / size * q.vec();
}

/// Force of a contact on `body`, one of its two [N].
Vector3d forceOn(physics::BodyId body, const physics::ContactForce& c) {
  const Vector3d onJ = c.force * c.contact.n + c.friction;
  return c.contact.j == body ? onJ : Vector3d(-onJ);
}

}  // namespace

InsertionPose insertionPoseOf(const content::Scene& scene, const content::Goal& goal, const Pose& X_WI,
                              const Pose& X_WP) {
  const content::AxisFeature& tip = scene.part(goal.part).features[static_cast<std::size_t>(goal.feature)];
  InsertionPose pose;
  pose.X_WH = X_WI * goal.X_IH;
  pose.tip_H = pose.X_WH.inverse() * (X_WP * tip.origin);
  pose.direction_H = pose.X_WH.q.conjugate() * (X_WP.q * tip.direction);
  return pose;
}

double InsertionPose::tilt() const {
  // atan2, since the arc cosine loses half the digits near 0.
  return std::atan2(direction_H.head<2>().norm(), -direction_H.z());
}

InsertionView::InsertionView(const content::Scene& scene, const content::Goal& goal)
    : part_{goal.part}, into_{goal.into}, weight_W_(Vector3d::Zero()) {
  const content::Part& part = scene.part(goal.part);
  const content::Part& into = scene.part(goal.into);
  const content::AxisFeature& feature = part.features[static_cast<std::size_t>(goal.feature)];
  X_CP_ = partInBody(part);
  tip_C_ = X_CP_ * feature.origin;
  direction_C_ = feature.direction;
  X_IcH_ = partInBody(into) * goal.X_IH;
  if (goal.pose) q_IP_ = goal.pose->X_IP.q;
  moved_ = part.motion == physics::MotionType::fixed ? into_ : part_;
  const content::Part& moved = scene.part(moved_.value);
  if (moved.motion == physics::MotionType::dynamic) weight_W_ = moved.mass.mass * scene.gravity;
  for (const content::Hand& hand : scene.hands) carries_.push_back(hand.parameters.carriesWeight);
}

bool InsertionView::isHeld(const physics::StepResult& tick) const {
  return std::any_of(tick.hands.begin(), tick.hands.end(),
                     [this](const physics::HandState& hand) { return hand.body == moved_; });
}

bool InsertionView::isCarried(const physics::StepResult& tick) const {
  for (std::size_t h = 0; h < std::min(tick.hands.size(), carries_.size()); ++h)
    if (tick.hands[h].body == moved_ && carries_[h]) return true;
  return false;
}

InsertionPose InsertionView::insertionPoseAt(const physics::StepResult& tick) const {
  const Pose& X_WC = stateOf(tick, part_).X_WC;
  InsertionPose stand;
  stand.X_WH = stateOf(tick, into_).X_WC * X_IcH_;
  stand.tip_H = stand.X_WH.inverse() * (X_WC * tip_C_);
  stand.direction_H = stand.X_WH.q.conjugate() * (X_WC.q * direction_C_);
  const Vector3d tip_W = X_WC * tip_C_;
  const Vector3d moves_W = velocityAt(stateOf(tick, part_), tip_W) - velocityAt(stateOf(tick, into_), tip_W);
  stand.turn = stand.tilt();
  const Vector3d axis = Vector3d(-Vector3d::UnitZ()).cross(stand.direction_H);
  if (axis.norm() > 0) stand.turn_H = stand.turn * axis.normalized();
  if (q_IP_) {
    const physics::Quaterniond q_WG = stateOf(tick, into_).X_WC.q * *q_IP_;
    const physics::Quaterniond q_GP = q_WG.conjugate() * X_WC.q;
    stand.turn = angleOf(q_GP);
    stand.turn_H = stand.X_WH.q.conjugate() * (q_WG * rotationVectorOf(q_GP));
    stand.hasTwist = true;
  }
  stand.speed = -(stand.X_WH.q * Vector3d::UnitZ()).dot(moves_W);
  return stand;
}

Pose InsertionView::partPoseAt(const physics::StepResult& tick) const {
  return stateOf(tick, part_).X_WC * X_CP_;
}

void InsertionView::contactPoints(const physics::StepResult& tick, const InsertionPose& stand,
                                  std::vector<InsertionContactPoint>& points) const {
  points.clear();
  const Pose X_HW = stand.X_WH.inverse();
  for (const physics::ContactForce& c : tick.contacts) {
    const bool partIsJ = c.contact.i == into_ && c.contact.j == part_;
    if (!partIsJ && !(c.contact.i == part_ && c.contact.j == into_)) continue;
    const double sign = partIsJ ? 1 : -1;  // f pushes j along n, i against it
    InsertionContactPoint point;
    point.p_H = X_HW * c.contact.p;
    point.n_H = sign * (X_HW.q * c.contact.n);
    point.force = c.force;
    point.friction_H = sign * (X_HW.q * c.friction);
    point.mu = c.mu;
    const Vector3d fromTip = point.p_H - stand.tip_H;
    point.behind = -stand.direction_H.dot(fromTip);
    point.radius = stand.direction_H.cross(fromTip).norm();
    points.push_back(point);
  }
}

double InsertionView::turningTorqueAt(const physics::StepResult& tick, const InsertionPose& stand) const {
  const Pose& X_WC = stateOf(tick, moved_).X_WC;
  Vector3d torque = Vector3d::Zero();
  for (const physics::HandState& hand : tick.hands)
    if (hand.body == moved_) torque += hand.torque + (X_WC * hand.X_CH.p - stand.X_WH.p).cross(hand.force);
  for (const physics::DriverState& driver : tick.drivers)
    if (driver.screw == moved_) torque -= driver.torque * driver.axis;
  return (moved_ == part_ ? 1 : -1) * (stand.X_WH.q * Vector3d::UnitZ()).dot(torque);
}

PartLoad InsertionView::loadAt(const physics::StepResult& tick, const InsertionPose& stand) const {
  // A force that moves the hole over a fixed part acts reversed on the part.
  const double sign = moved_ == part_ ? 1 : -1;
  const physics::BodyId still = moved_ == part_ ? into_ : part_;
  const Pose& X_WC = stateOf(tick, moved_).X_WC;
  const Vector3d tip_W = stateOf(tick, part_).X_WC * tip_C_;
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  const auto add = [&](const Vector3d& f, const Vector3d& at) {
    force += f;
    moment += (at - tip_W).cross(f);
  };
  for (const physics::HandState& hand : tick.hands) {
    if (hand.body != moved_) continue;
    add(hand.force, X_WC * hand.X_CH.p);
    moment += hand.torque;
  }
  if (!isCarried(tick)) add(weight_W_, X_WC.p);
  for (const physics::ContactForce& c : tick.contacts) {
    const physics::BodyId other = c.contact.i == moved_ ? c.contact.j : c.contact.i;
    if ((c.contact.i == moved_ || c.contact.j == moved_) && other != still)
      add(forceOn(moved_, c), c.contact.p);
  }
  const physics::Quaterniond q_HW = stand.X_WH.q.conjugate();
  return {q_HW * (sign * force), q_HW * (sign * moment)};
}

}  // namespace tenon::runtime
