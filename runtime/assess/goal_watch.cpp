// Pose of a part in its hole, push on it, and the verdict that follows.
#include "runtime/assess/goal_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tenon::runtime {

std::string_view toText(Verdict verdict) {
  switch (verdict) {
    case Verdict::inserted:
      return "inserted";
    case Verdict::tooDeep:
      return "too-deep";
    case Verdict::jammed:
      return "jammed";
    case Verdict::blocked:
      return "blocked";
    case Verdict::pending:
      return "pending";
    case Verdict::released:
      return "released";
    case Verdict::tightened:
      return "tight";
    case Verdict::started:
      return "started";
    case Verdict::crossThreaded:
      return "cross-threaded";
    case Verdict::stripped:
      return "stripped";
  }
  return "";
}

GoalWatch::GoalWatch(const content::Scene& scene, int goal)
    : view_(scene, scene.goals[static_cast<std::size_t>(goal)]),
      mouth_(entryRegionOf(scene, scene.goals[static_cast<std::size_t>(goal)])),
      others_(scene, scene.goals[static_cast<std::size_t>(goal)]) {
  const content::Goal& g = scene.goals[static_cast<std::size_t>(goal)];
  minDepth_ = g.depth - g.depthTolerance;
  maxDepth_ = g.depth + g.depthTolerance;
  depthTolerance_ = g.depthTolerance;
  tiltTolerance_ = g.tiltTolerance;
  timeLimit_ = g.timeLimit;
  turns_ = g.turns;
  preload_ = g.preload;
  torque_ = g.torque;
  proofLoad_ = g.proofLoad;
  if (turns_ > 0) maxDepth_ = std::numeric_limits<double>::infinity();
  if (const auto threads = content::threadPairOf(scene, g)) threadWatch_.emplace(*threads);
  const InsertionFit fit = insertionFitOf(scene, g);
  radius_ = g.pose               ? g.pose->across
            : fit.boreRadius > 0 ? fit.boreRadius
                                 : std::numeric_limits<double>::infinity();
  boreEntryDepth_ = fit.leadInDepth + fit.tipLength + fit.edgeTolerance();
  lastProgressDepth_ = -std::numeric_limits<double>::infinity();
  result_.goal = goal;
  result_.fit = fit;
  result_.X_IH = g.X_IH;
}

double GoalWatch::pushAt(const InsertionPose& stand, bool held, double resistance) const {
  // A part that no hand holds and that is not at its hole, such as a screw beside it, has no push.
  const double mouth = result_.fit.hasHole()          ? result_.fit.mouthRadius()
                       : std::isfinite(mouth_.radius) ? mouth_.radius
                                                      : radius_;
  const bool atMouth = stand.offset() <= 2 * mouth && stand.depth() >= -mouth;
  return atMouth || held ? std::max(resistance, 0.0) : 0;
}

void GoalWatch::updatePush(const physics::StepResult& tick, const InsertionPose& stand, bool held) {
  const PartLoad load = view_.loadAt(tick, stand);
  if (!tick.report.converged) {
    result_.current = diagnoseWithoutForces(tick.time, stand, load, result_.fit);
    result_.push = pushAt(stand, held, points_.empty() ? 0 : result_.current.axialLoad());
    return;
  }
  const InsertionContact contact = classifyContact(points_, result_.fit, stand.tilt());
  result_.current = diagnose(tick.time, stand, contact, load, result_.fit);
  result_.twoPoint.add(tick.time, stand, contact, result_.fit);
  double resistance = 0, friction = 0;
  for (const InsertionContactPoint& point : points_) {
    resistance += point.total_H().z();
    friction += point.friction_H.z();
  }
  heldByFriction_ = friction > 0.5 * resistance;
  result_.push = pushAt(stand, held, resistance);
  result_.maxPush = std::max(result_.maxPush, result_.push);
}

/// Other holes are searched only while the part is pushed outside its own.
void GoalWatch::updatePlacement(const physics::StepResult& tick) {
  result_.current.atHole = atHole_;
  if (!atHole_ && result_.push >= kPushForce) result_.current.otherHole = others_.holding(tick);
}

void GoalWatch::updateThread(const physics::StepResult& tick, const InsertionPose& stand) {
  if (!threadWatch_) return;
  threadWatch_->add(tick.time, stand.X_WH.inverse() * view_.partPoseAt(tick), stand, points_,
                    view_.turningTorqueAt(tick, stand), tick.report.converged);
  result_.thread = threadWatch_->state();
}

void GoalWatch::updateEntryRegion(const InsertionPose& stand) {
  const bool wasAtHole = std::exchange(atHole_, mouth_.contains(stand));
  if (atHole_ || stand.depth() < 0)
    wentThrough_ = false;
  else if (wasAtHole && stand.depth() > mouth_.depth)
    wentThrough_ = true;
  result_.depth = wentThrough_ ? stand.depth() : effectiveDepth(mouth_, stand);
  const double seated = result_.fit.seatedDepth();
  result_.limitedByTilt = atHole_ && result_.depth < minDepth_ && seated >= minDepth_ &&
                          seated <= maxDepth_ &&
                          result_.fit.seatGap(stand.depth(), stand.tilt()) <= depthTolerance_;
}

void GoalWatch::updateStandstill(double time, double depth, bool held, bool inHole) {
  const bool wasHeld = std::exchange(held_, held);
  atStandstill_ = false;
  if (held && !wasHeld) {  // a new attempt
    everHeld_ = true;
    lastProgressTime_ = time;
    stuck_ = false;
  }
  if (std::abs(depth - lastProgressDepth_) >= kStandstillProgress) {
    lastProgressDepth_ = depth;
    lastProgressTime_ = time;
    if (held || !everHeld_) stuck_ = false;
  }
  if (!held && everHeld_) return;
  const bool isShort = result_.depth < minDepth_ && !result_.limitedByTilt;
  if (!isShort) stuck_ = false;
  if (!isShort || result_.push < kPushForce) lastProgressTime_ = time;
  if (time - lastProgressTime_ < kStandstillTime) return;
  stuck_ = atStandstill_ = true;
  stuckInHole_ = inHole;
}

Verdict GoalWatch::verdict(bool reached) const {
  if (proofLoad_ > 0 && result_.thread && result_.thread->maxPreload > proofLoad_) return Verdict::stripped;
  if (reached && insertedInTime_)
    return turns_ == 0                     ? Verdict::inserted
           : preload_ == 0 && torque_ == 0 ? Verdict::started
                                           : Verdict::tightened;
  if (reached) return Verdict::pending;
  if (wentThrough_ || result_.depth > maxDepth_) return Verdict::tooDeep;
  if (result_.thread && result_.thread->isCrossed()) return Verdict::crossThreaded;
  if (stuck_) return stuckInHole_ ? Verdict::jammed : Verdict::blocked;
  return everHeld_ && !held_ ? Verdict::released : Verdict::pending;
}

void GoalWatch::add(const physics::StepResult& tick) {
  const InsertionPose stand = view_.insertionPoseAt(tick);
  const bool held = view_.isHeld(tick);
  view_.contactPoints(tick, stand, points_);
  updateEntryRegion(stand);
  updatePush(tick, stand, held);
  updatePlacement(tick);
  updateThread(tick, stand);
  result_.tilt = stand.turn;
  const bool within = stand.offset() <= radius_;
  const bool passes = !insertedInTime_ && result_.depth + kMinDwellTime * stand.speed > maxDepth_;
  const bool atDepth = result_.depth >= minDepth_ && result_.depth <= maxDepth_ && !passes;
  const bool isStarted =
      turns_ == 0 || (result_.thread && result_.thread->startedTurns() >= turns_ &&
                      result_.thread->preload >= preload_ && result_.thread->maxTorque >= torque_);
  const bool reached = within && atHole_ && atDepth && stand.turn <= tiltTolerance_ && isStarted;
  const bool inHole = !result_.fit.hasHole() ? heldByFriction_ : within && stand.depth() > boreEntryDepth_;
  updateStandstill(tick.time, stand.depth(), held, inHole);
  // A diagnosis with valid forces takes precedence over one without.
  if (atStandstill_ && (result_.current.converged || !result_.standstill || !result_.standstill->converged))
    result_.standstill = result_.current;
  if (!stuck_) result_.standstill.reset();
  if (!insertedInTime_) {
    result_.time = tick.time;
    insertedInTime_ = reached && tick.time <= timeLimit_;
  }
  result_.verdict = verdict(reached);
}

}  // namespace tenon::runtime
