// Evaluates Whitney's conditions in the plane of the contacts and derives the cause.
#include "runtime/assess/jam_diagnosis.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::runtime {

namespace {

using Eigen::Vector2d;

/// Fraction of the normal force from which friction counts as holding a part [-].
constexpr double kFrictionHolds = 0.02;

/// Unit, along the walls from the lower contact towards the upper one; in a round hole out of it.
Vector3d directionAlong(const TwoPoint& contact) {
  if (contact.width == 0) return Vector3d::UnitZ();
  const Vector3d between_H = contact.upper.p_H - contact.lower.p_H;
  return (between_H - contact.side_H.dot(between_H) * contact.side_H).normalized();
}

/// Direction from the hole's axis to the contact; zero if the wall acts from all sides.
Vector3d sideOf(const InsertionContact& contact) {
  Eigen::Vector2d push = Eigen::Vector2d::Zero();
  for (const ContactCluster& c : contact.clusters) push -= c.normal_H.head<2>();
  const double size = push.norm();
  if (!(size > 0)) return Vector3d::Zero();
  return {push.x() / size, push.y() / size, 0};
}

/// The load in the plane of two walls of an unknown section, about the point midway between them at the depth
/// of the lower one.
Push pushBetween(const TwoPoint& pair, const Diagnosis& d) {
  Push push;
  push.radius = 0.5 * pair.width;
  push.length = pair.length;
  push.mu = pair.mu;
  push.fz = d.axialLoad();
  push.fx = pair.side_H.dot(d.load.force_H);
  const Vector3d tip_H(d.offset_H.x(), d.offset_H.y(), -d.depth);
  const Vector3d middle_H = pair.lower.p_H - push.radius * pair.side_H;
  const Vector3d moment_H = d.load.moment_H + (tip_H - middle_H).cross(d.load.force_H);
  push.moment = pair.side_H.cross(Vector3d::UnitZ()).dot(moment_H);
  return push;
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

/// True if the load alone presses the part so far sideways that friction on one wall holds it.
bool isLateralJam(const Diagnosis& d) {
  return d.axialLoad() > 0 && d.contact.clusters.front().mu * d.lateralLoad() >= kJamBorder * d.axialLoad();
}

/// True if the tilt explains that walls are inclined to the hole's axis; else they converge.
bool isTiltOfWalls(const Diagnosis& d) {
  double steepest = 0;  // sine of the inclination
  for (const ContactCluster& c : d.contact.clusters)
    steepest = std::max(steepest, c.normal_H.z() / c.normal_H.norm());
  return std::sin(d.tilt) >= 0.5 * steepest;
}

/// On walls of an unknown section.
StopCause causeBetweenWalls(const Diagnosis& d) {
  if (d.wedge && d.wedge->conesMeet && d.wedge->squeeze > 0) return StopCause::wedged;
  double normal = 0;
  for (const ContactCluster& c : d.contact.clusters) normal += c.normal_H.z();
  // A tilted part has its walls inclined to the hole's axis: they push it out.
  if (normal > d.axialFriction())
    return d.contact.allRound && isTiltOfWalls(d) ? StopCause::tilted : StopCause::unexplained;
  if (d.contact.state == ContactState::turned) return StopCause::turned;
  if (d.point && d.push->mu > 0 && d.point->utilization >= kJamBorder) return StopCause::jammed;
  return isLateralJam(d) ? StopCause::jammed : StopCause::unexplained;
}

StopCause causeInSection(const Diagnosis& d) {
  switch (d.contact.state) {
    case ContactState::none:
      return StopCause::none;
    case ContactState::onFace:
    case ContactState::onChamfer:
      return StopCause::faceAcross;
    case ContactState::onePoint:
    case ContactState::twoPoint:
    case ContactState::line:
    case ContactState::turned:
      return causeBetweenWalls(d);
    default:
      return StopCause::unexplained;
  }
}

StopCause causeOf(const Diagnosis& d, const InsertionFit& fit) {
  // Without forces only the position decides: within the mouth, at most as deep as the lead-in.
  if (!d.converged) {
    const bool atMouth =
        fit.known() && fit.captureRadius() >= 0 && d.offset <= fit.captureRadius() && d.depth >= 0;
    return fit.isInterference() && atMouth ? StopCause::tooWide : StopCause::unexplained;
  }
  if (!fit.hasHole()) return causeInSection(d);
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
    case ContactState::turned:
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
  d.offset_H = {stand.tip_H.x(), stand.tip_H.y(), 0};
  d.turn_H = stand.turn_H;
  d.hasTwist = stand.hasTwist;
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
    case StopCause::faceAcross:
      return "face-across";
    case StopCause::turned:
      return "turned";
    case StopCause::unexplained:
      return "unexplained";
  }
  return "";
}

double Diagnosis::loadAngle() const {
  return std::atan2(lateralLoad(), axialLoad());
}

double Diagnosis::axialFriction() const {
  double sum = 0;
  for (const ContactCluster& c : contact.clusters) sum += c.friction_H.z();
  return sum;
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
  const bool isSection = contact.width != 0;
  const double diameter = isSection ? std::abs(contact.width) : 2 * fit.radius();
  WedgeCheck check;
  check.length = isSection ? std::hypot(contact.length, contact.aside) : contact.length;
  check.width = diameter;
  check.lengthOverD = check.length / diameter;
  check.mu = contact.mu;
  check.possible = wedgingPossible(check.length, diameter, contact.mu);
  const Vector3d along_H = directionAlong(contact);
  const auto inPlane = [&](const Vector3d& v_H) {
    return Vector2d(contact.side_H.dot(v_H), along_H.dot(v_H));
  };
  Vector2d lower = inPlane(contact.lower.p_H), upper = inPlane(contact.upper.p_H);
  const Vector2d n1 = inPlane(contact.lower.normal_H).normalized();
  const Vector2d n2 = inPlane(contact.upper.normal_H).normalized();
  // Around a post the forces pull the part apart instead of squeezing it: the same with the points exchanged.
  if (contact.width < 0) std::swap(lower, upper);
  check.conesMeet = conesContainEachOther(lower, n1, contact.lower.mu, upper, n2, contact.upper.mu);
  const Vector2d line = (upper - lower).normalized();
  const double fromBelow = line.dot(inPlane(contact.lower.normal_H + contact.lower.friction_H));
  const double fromAbove = -line.dot(inPlane(contact.upper.normal_H + contact.upper.friction_H));
  check.squeeze = std::max(std::min(fromBelow, fromAbove), 0.0);
  return check;
}

Diagnosis diagnose(double time, const InsertionPose& stand, const InsertionContact& contact,
                   const PartLoad& load, const InsertionFit& fit) {
  Diagnosis d = placeOf(time, stand, load);
  d.contact = contact;
  if (!fit.hasHole()) {
    if (contact.twoPoint) d.wedge = wedgeCheckOf(*contact.twoPoint, fit);
    if (contact.state == ContactState::twoPoint) {
      d.push = pushBetween(*contact.twoPoint, d);
      d.point = jammingPoint(*d.push);
    }
  } else if (fit.radius() > 0 && isInBore(contact.state)) {
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
  if (contact.state != ContactState::twoPoint || fit.isInterference()) return;
  if (fit.hasHole() && !(fit.radius() > 0)) return;
  const bool begins = onsets == 0 || time - lastSeen > kOnsetPause;
  lastSeen = time;
  if (!begins) return;
  ++onsets;
  last = TwoPointOnset{time, stand.depth(), stand.tilt(), wedgeCheckOf(*contact.twoPoint, fit)};
  if (!riskiest || last->wedge.lengthOverD < riskiest->wedge.lengthOverD) riskiest = last;
}

}  // namespace tenon::runtime
