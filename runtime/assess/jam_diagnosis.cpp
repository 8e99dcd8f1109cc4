// Evaluates Whitney's conditions in the plane of the contacts and derives the cause.
#include "runtime/assess/jam_diagnosis.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

using Eigen::Vector2d;

/// Fraction of the normal force from which friction counts as holding a part [-].
constexpr double kFrictionHolds = 0.02;

/// A vector of the frame H in the plane across `side` and out of the hole.
Vector2d inPlane(const Vector3d& side_H, const Vector3d& v_H) {
  return {side_H.dot(v_H), v_H.z()};
}

/// Direction from the hole's axis to the contact; zero if the wall acts from all sides.
Vector3d sideOf(const InsertionContact& contact) {
  Eigen::Vector2d push = Eigen::Vector2d::Zero();
  for (const ContactCluster& c : contact.clusters) push -= c.normal_H.head<2>();
  const double size = push.norm();
  if (!(size > 0)) return Vector3d::Zero();
  return {push.x() / size, push.y() / size, 0};
}

/// The load in the plane of the contacts. For a single contact, ℓ is the tip's depth in the bore.
Push pushOf(const Diagnosis& d, const InsertionFit& fit) {
  Push push;
  push.radius = fit.radius();
  push.length = std::max(d.depth - fit.leadInDepth, 0.0);
  push.mu = d.contact.clusters.front().mu;
  Vector3d side = sideOf(d.contact);
  if (d.contact.twoPoint) {
    side = d.contact.twoPoint->side_H;
    push.length = d.contact.twoPoint->length;
    push.mu = d.contact.twoPoint->mu;
  }
  push.fz = d.axialLoad();
  push.fx = side.dot(d.load.force_H);
  // From x (side) towards z out of the hole: about side × z.
  push.moment = side.cross(Vector3d::UnitZ()).dot(d.load.moment_H);
  return push;
}

bool isInBore(ContactState state) {
  return state == ContactState::onePoint || state == ContactState::twoPoint || state == ContactState::line;
}

StopCause causeInBore(const Diagnosis& d, const InsertionFit& fit) {
  // Contact from all sides: Whitney's theory needs two points.
  if (fit.isInterference()) return StopCause::tooWide;
  if (d.wedge && d.wedge->conesMeet && d.wedge->squeeze > 0) return StopCause::wedged;
  if (d.point && d.push->mu > 0 && d.point->utilization >= kJamBorder) return StopCause::jammed;
  return StopCause::unexplained;
}

StopCause causeAtMouth(const Diagnosis& d, const InsertionFit& fit) {
  if (fit.known()) {
    const HoleSurface surface = d.contact.clusters.front().surface;
    const bool slopes = surface == HoleSurface::chamfer || surface == HoleSurface::boreEdge;
    if (!slopes && fit.captureRadius() >= 0 && d.offset > fit.captureRadius())
      return StopCause::offsetFromHole;
    if (fit.isInterference()) return StopCause::tooWide;
    if (d.contact.allRound && d.tilt > entryTilt(fit)) return StopCause::tilted;
  }
  return d.hasFriction() ? StopCause::stuckAtMouth : StopCause::balancedAtMouth;
}

StopCause causeOf(const Diagnosis& d, const InsertionFit& fit) {
  // Without forces only the position decides: within the mouth, at most as deep as the lead-in.
  if (!d.converged) {
    const bool atMouth =
        fit.known() && fit.captureRadius() >= 0 && d.offset <= fit.captureRadius() && d.depth >= 0;
    return fit.isInterference() && atMouth ? StopCause::tooWide : StopCause::unexplained;
  }
  switch (d.contact.state) {
    case ContactState::none:
      return StopCause::none;
    case ContactState::seated: {
      const auto head = std::find_if(d.contact.clusters.begin(), d.contact.clusters.end(),
                                     [](const auto& c) { return c.feature == PartFeature::head; });
      return head == d.contact.clusters.end() ? StopCause::bottomed : StopCause::headSeated;
    }
    case ContactState::onePoint:
    case ContactState::twoPoint:
    case ContactState::line:
      return causeInBore(d, fit);
    case ContactState::onFace:
    case ContactState::onRim:
    case ContactState::onChamfer:
      return causeAtMouth(d, fit);
    case ContactState::elsewhere:
      break;
  }
  return StopCause::unexplained;
}

Diagnosis placeOf(double time, const InsertionPose& stand, const PartLoad& load) {
  Diagnosis d;
  d.time = time;
  d.depth = stand.depth();
  d.offset = stand.offset();
  d.tilt = stand.tilt();
  d.load = load;
  return d;
}

}  // namespace

std::string_view toText(StopCause cause) {
  switch (cause) {
    case StopCause::none:
      return "none";
    case StopCause::wedged:
      return "wedged";
    case StopCause::jammed:
      return "jammed";
    case StopCause::tooWide:
      return "too-wide";
    case StopCause::offsetFromHole:
      return "beside";
    case StopCause::tilted:
      return "tilted";
    case StopCause::stuckAtMouth:
      return "stuck-at-mouth";
    case StopCause::balancedAtMouth:
      return "rests-at-mouth";
    case StopCause::bottomed:
      return "bottomed";
    case StopCause::headSeated:
      return "head-seated";
    case StopCause::unexplained:
      return "unexplained";
  }
  return "";
}

double Diagnosis::loadAngle() const {
  return std::atan2(lateralLoad(), axialLoad());
}

double Diagnosis::friction() const {
  double sum = 0;
  for (const ContactCluster& c : contact.clusters) sum += c.friction_H.norm();
  return sum;
}

double Diagnosis::frictionLimit() const {
  double sum = 0;
  for (const ContactCluster& c : contact.clusters) sum += c.mu * c.force;
  return sum;
}

bool Diagnosis::hasFriction() const {
  double normal = 0;
  for (const ContactCluster& c : contact.clusters) normal += c.force;
  return friction() > kFrictionHolds * normal;
}

double entryTilt(const InsertionFit& fit) {
  if (!(fit.clearance() > 0)) return 0;
  return std::sqrt(fit.clearance() / fit.radius());
}

WedgeCheck wedgeCheckOf(const TwoPoint& contact, const InsertionFit& fit) {
  const double diameter = 2 * fit.radius();
  WedgeCheck check;
  check.length = contact.length;
  check.lengthOverD = contact.length / diameter;
  check.mu = contact.mu;
  check.possible = wedgingPossible(contact.length, diameter, contact.mu);
  const Vector2d lower = inPlane(contact.side_H, contact.lower.p_H);
  const Vector2d upper = inPlane(contact.side_H, contact.upper.p_H);
  const Vector2d n1 = inPlane(contact.side_H, contact.lower.normal_H).normalized();
  const Vector2d n2 = inPlane(contact.side_H, contact.upper.normal_H).normalized();
  check.conesMeet = conesContainEachOther(lower, n1, contact.lower.mu, upper, n2, contact.upper.mu);
  const Vector2d line = (upper - lower).normalized();
  const double fromBelow =
      line.dot(inPlane(contact.side_H, contact.lower.normal_H + contact.lower.friction_H));
  const double fromAbove =
      -line.dot(inPlane(contact.side_H, contact.upper.normal_H + contact.upper.friction_H));
  check.squeeze = std::max(std::min(fromBelow, fromAbove), 0.0);
  return check;
}

Diagnosis diagnose(double time, const InsertionPose& stand, const InsertionContact& contact,
                   const PartLoad& load, const InsertionFit& fit) {
  Diagnosis d = placeOf(time, stand, load);
  d.contact = contact;
  if (fit.radius() > 0 && isInBore(contact.state)) {
    if (contact.twoPoint) d.wedge = wedgeCheckOf(*contact.twoPoint, fit);
    d.push = pushOf(d, fit);
    d.point = jammingPoint(*d.push);
  }
  d.cause = causeOf(d, fit);
  return d;
}

Diagnosis diagnoseWithoutForces(double time, const InsertionPose& stand, const PartLoad& load,
                                const InsertionFit& fit) {
  Diagnosis d = placeOf(time, stand, load);
  d.converged = false;
  d.cause = causeOf(d, fit);
  return d;
}

void TwoPointHistory::add(double time, const InsertionPose& stand, const InsertionContact& contact,
                          const InsertionFit& fit) {
  if (!contact.twoPoint || !(fit.radius() > 0) || fit.isInterference()) return;
  const bool begins = onsets == 0 || time - lastSeen > kOnsetPause;
  lastSeen = time;
  if (!begins) return;
  ++onsets;
  last = TwoPointOnset{time, stand.depth(), stand.tilt(), wedgeCheckOf(*contact.twoPoint, fit)};
  if (!riskiest || last->wedge.lengthOverD < riskiest->wedge.lengthOverD) riskiest = last;
}

}  // namespace tenon::runtime
