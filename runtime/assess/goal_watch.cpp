// Where a part stands in its hole, how hard it is pushed, and what that amounts to.
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
    case Verdict::tight:
      return "tight";
  }
  return "";
}

namespace {

/// Recorded frames have no joints, and bring their verdicts with them.
bool isTight(const physics::Tick& tick, int joint) {
  const auto k = static_cast<std::size_t>(joint);
  return k < tick.joints.size() && tick.joints[k].phase == physics::JointPhase::tight;
}

}  // namespace

GoalWatch::GoalWatch(const content::Scene& scene, int goal)
    : view_(scene, scene.goals[static_cast<std::size_t>(goal)]),
      mouth_(mouthCatchOf(scene, scene.goals[static_cast<std::size_t>(goal)])),
      others_(scene, scene.goals[static_cast<std::size_t>(goal)]) {
  const content::Goal& g = scene.goals[static_cast<std::size_t>(goal)];
  least_ = g.depth - g.depthTolerance;
  greatest_ = g.depth + g.depthTolerance;
  depthTolerance_ = g.depthTolerance;
  tiltTolerance_ = g.tiltTolerance;
  timeLimit_ = g.timeLimit;
  thread_ = g.thread;
  const InsertionFit fit = insertionFitOf(scene, g);
  radius_ = fit.boreRadius > 0 ? fit.boreRadius : std::numeric_limits<double>::infinity();
  inBore_ = fit.leadInDepth + fit.tipLength + fit.onEdge();
  lastProgressDepth_ = -std::numeric_limits<double>::infinity();
  result_.goal = goal;
  result_.fit = fit;
}

double GoalWatch::pushAt(const Stand& stand, bool held, double resistance) const {
  // A part that no hand holds and that lies elsewhere - a screw that waits beside its hole - pushes nothing.
  const double mouth = result_.fit.mouthRadius();
  const bool atMouth = stand.offset() <= 2 * mouth && stand.depth() >= -mouth;
  return atMouth || held ? std::max(resistance, 0.0) : 0;
}

void GoalWatch::watchPush(const physics::Tick& tick, const Stand& stand, bool held) {
  const PartLoad load = view_.loadAt(tick, stand);
  if (!tick.report.converged) {
    result_.now = withoutForces(tick.time, stand, load, result_.fit);
    result_.push = pushAt(stand, held, points_.empty() ? 0 : result_.now.loadAlong());
    return;
  }
  const InsertionContact contact = contactOf(points_, result_.fit);
  result_.now = diagnose(tick.time, stand, contact, load, result_.fit);
  result_.twoPoint.add(tick.time, stand, contact, result_.fit);
  double resistance = 0;
  for (const TouchPoint& point : points_) resistance += point.total_H().z();
  result_.push = pushAt(stand, held, resistance);
  result_.maxPush = std::max(result_.maxPush, result_.push);
}

/// Other holes are looked for only where it matters: while the part is pushed beside its own.
void GoalWatch::addPlace(const physics::Tick& tick) {
  result_.now.atHole = atHole_;
  if (!atHole_ && result_.push >= kPushForce) result_.now.otherHole = others_.holding(tick);
}

void GoalWatch::watchCatch(const Stand& stand) {
  const bool wasAtHole = std::exchange(atHole_, mouth_.holds(stand));
  if (atHole_ || stand.depth() < 0)
    wentThrough_ = false;
  else if (wasAtHole && stand.depth() > mouth_.depth)
    wentThrough_ = true;
  result_.depth = wentThrough_ ? stand.depth() : countedDepth(mouth_, stand);
  const double seated = result_.fit.seatedDepth();
  result_.leans = atHole_ && result_.depth < least_ && seated >= least_ && seated <= greatest_ &&
                  result_.fit.seatGap(stand.depth(), stand.tilt()) <= depthTolerance_;
}

void GoalWatch::watchStandstill(double time, double depth, bool held, bool inHole) {
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
  const bool isShort = result_.depth < least_ && !result_.leans;
  if (!isShort) stuck_ = false;
  if (!isShort || result_.push < kPushForce) lastProgressTime_ = time;
  if (time - lastProgressTime_ < kStandstillTime) return;
  stuck_ = atStandstill_ = true;
  stuckInHole_ = inHole;
}

Verdict GoalWatch::verdict(bool reached) const {
  if (reached && insertedInTime_) return thread_ < 0 ? Verdict::inserted : Verdict::tight;
  if (reached) return Verdict::pending;
  if (wentThrough_ || result_.depth > greatest_) return Verdict::tooDeep;
  if (stuck_) return stuckInHole_ ? Verdict::jammed : Verdict::blocked;
  return everHeld_ && !held_ ? Verdict::released : Verdict::pending;
}

void GoalWatch::add(const physics::Tick& tick) {
  const Stand stand = view_.standAt(tick);
  const bool held = view_.isHeld(tick);
  view_.touchPoints(tick, stand, points_);
  watchCatch(stand);
  watchPush(tick, stand, held);
  addPlace(tick);
  result_.tilt = stand.tilt();
  const bool within = stand.offset() <= radius_;
  const bool passes = !insertedInTime_ && result_.depth + kPassing * stand.speed > greatest_;
  const bool atDepth = result_.depth >= least_ && result_.depth <= greatest_ && !passes;
  const bool inserted = within && atHole_ && atDepth && stand.tilt() <= tiltTolerance_;
  const bool reached = inserted && (thread_ < 0 || isTight(tick, thread_));
  watchStandstill(tick.time, stand.depth(), held, within && stand.depth() > inBore_);
  // A stop whose forces are known says more than one whose forces are not.
  if (atStandstill_ && (result_.now.settled || !result_.stop || !result_.stop->settled))
    result_.stop = result_.now;
  if (!stuck_) result_.stop.reset();
  if (!insertedInTime_) {
    result_.time = tick.time;
    insertedInTime_ = reached && tick.time <= timeLimit_;
  }
  result_.verdict = verdict(reached);
}

}  // namespace tenon::runtime
