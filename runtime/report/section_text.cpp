// Sentences from the faces of a contact in an opening of unknown cross-section.
#include "runtime/report/section_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "content/input/wording.h"
#include "content/mesh/position_text.h"
#include "runtime/report/place_text.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

/// Parts of a displacement below this fraction of the largest one are left out [-].
constexpr double kMinorShare = 0.3;
/// A part displaced by less at its contact is at its place [m].
constexpr double kAtPlace = 1e-6;

/// A direction of the frame H in that of the hole's part: "+x", or "(0.71, 0.71, 0.00)".
std::string directionOf(const GoalResult& result, const Vector3d& v_H) {
  static constexpr std::array<char, 3> kAxes{'x', 'y', 'z'};
  const Vector3d v = (result.X_IH.q * v_H).normalized();
  for (int k = 0; k < 3; ++k)
    if (std::abs(v[k]) > 0.9999)
      return fmt::format("{}{}", v[k] > 0 ? '+' : '-', kAxes[static_cast<std::size_t>(k)]);
  const auto shown = [](double x) { return std::round(x * 100) / 100 + 0.0; };  // no "-0"
  return fmt::format("({:.2f}, {:.2f}, {:.2f})", shown(v.x()), shown(v.y()), shown(v.z()));
}

/// "the wall that faces +x, at (1, 2, 3) mm".
std::string faceText(const GoalResult& result, const ContactCluster& c) {
  const Vector3d normal_H = c.normal_H.normalized();
  // The center of pressure of a contact all round is in the opening.
  const std::string at =
      (c.arc > std::numbers::pi ? "around " : "at ") + content::positionText(result.X_IH * c.p_H);
  if (c.surface == HoleSurface::acrossFace)
    return fmt::format("a face across the direction of insertion, {}", at);
  if (c.surface == HoleSurface::inclinedFace)
    return fmt::format("a face inclined by {} to the direction of insertion, {}",
                       angleText(std::asin(std::min(normal_H.z(), 1.0))), at);
  return fmt::format("the wall that faces {}, {}", directionOf(result, normal_H), at);
}

std::string rotationText(const GoalResult& result, const Vector3d& turn_H) {
  return fmt::format("turn it by {} about {}", angleText(turn_H.norm()), directionOf(result, turn_H));
}

/// The motion across the direction of insertion that brings the part, as it stands at the contact, to the
/// place and orientation of its goal; empty if it is there.
std::string correctionText(const GoalResult& result, const ContactCluster& c) {
  const Diagnosis& d = *result.standstill;
  const Vector3d twist_H(0, 0, d.turn_H.z()), tilt_H(d.turn_H.x(), d.turn_H.y(), 0);
  const Vector3d tip_H(d.offset_H.x(), d.offset_H.y(), -d.depth);
  // What each displaces at the contact across the direction of insertion [m].
  const Vector3d tilted_H = tilt_H.cross(c.p_H - tip_H);
  const double shifts = d.offset, twists = std::abs(d.turn_H.z()) * c.radius;
  double tilts = tilted_H.head<2>().norm();
  if (std::max({shifts, twists, tilts}) < kAtPlace) tilts = tilted_H.norm();
  const double least = std::max(kMinorShare * std::max({shifts, twists, tilts}), kAtPlace);
  Vector3d turn_H = Vector3d::Zero();
  if (twists >= least) turn_H -= twist_H;
  if (tilts >= least) turn_H -= tilt_H;
  std::string text;
  if (shifts >= least) text = "shift it by " + content::positionText(result.X_IH.q * -d.offset_H);
  if (turn_H.norm() > 0) text += (text.empty() ? "" : " and ") + rotationText(result, turn_H);
  return text;
}

std::string onFaceText(const GoalResult& result) {
  const Diagnosis& d = *result.standstill;
  const auto& clusters = d.contact.clusters;
  const auto face = std::find_if(clusters.begin(), clusters.end(), [](const ContactCluster& c) {
    return c.surface == HoleSurface::acrossFace || c.surface == HoleSurface::inclinedFace;
  });
  const std::string correction = correctionText(result, *face);
  const std::string atPlace =
      d.hasTwist
          ? "it is at its place across that direction, so the opening is too narrow for it there, or "
            "closed"
          : "it is at its place across that direction, but for a rotation about it, which the goal does "
            "not define";
  return fmt::format("it rests on {}, with {}; {}", faceText(result, *face), forceText(face->force),
                     correction.empty() ? atPlace : "to its place: " + correction);
}

/// "two-point contact on the wall that faces +x, at …, and the wall that faces −x, at …, ℓ = …".
std::string pairText(const GoalResult& result) {
  const Diagnosis& d = *result.standstill;
  const TwoPoint& pair = *d.contact.twoPoint;
  const bool isTurned = d.contact.state == ContactState::turned;
  const std::string angle = d.hasTwist ? " by " + angleText(std::abs(d.turn_H.z())) : "";
  const std::string state =
      isTurned ? fmt::format("turned{} about the direction of insertion, it bears on both sides", angle)
               : fmt::format("two-point contact, tilted {}", angleText(d.tilt));
  return fmt::format("{}: on {}, and on {}; ℓ = {} apart along the walls, D = {} across", state,
                     faceText(result, pair.lower), faceText(result, pair.upper), lengthText(d.wedge->length),
                     lengthText(std::abs(pair.width)));
}

/// "one-point contact on the wall that faces +x, at …".
std::string wallsText(const GoalResult& result) {
  const Diagnosis& d = *result.standstill;
  if (d.contact.twoPoint) return pairText(result);
  std::string text = d.contact.state == ContactState::onePoint ? "one-point contact"
                     : d.contact.allRound                      ? "contact from all sides"
                                                               : "contact along one side";
  int listed = 0;
  for (const ContactCluster& c : d.contact.clusters) {
    if (++listed > 3) return text + ", and more";
    text += (listed == 1 ? " on " : ", ") + faceText(result, c);
  }
  return text;
}

std::string friction(const Diagnosis& d) {
  return fmt::format("friction holds it there ({} of at most {})", forceText(d.friction()),
                     forceText(d.frictionLimit()));
}

std::string wedgeText(const Diagnosis& d) {
  const WedgeCheck& w = *d.wedge;
  return fmt::format(
      "wedged: ℓ/D = {:.3g} {} μ = {:.3g}, so the friction cones contain each other's contact and hold the "
      "part "
      "between them with {}: do not push on, {}",
      w.lengthOverD, w.possible ? "is below" : "is near", w.mu, forceText(w.squeeze),
      d.contact.state == ContactState::turned ? "turn it back or pull it back"
                                              : "turn it upright or pull it back");
}

std::string jamText(const Diagnosis& d) {
  const std::string push = fmt::format("the push of {} acts {} off the direction of insertion",
                                       forceText(d.load.force_H.norm()), angleText(d.loadAngle()));
  if (!d.point || d.point->utilization < kJamBorder)
    return fmt::format("{}, within the friction cone of the wall (μ = {:.3g}): push more along it", push,
                       d.contact.clusters.front().mu);
  const bool isLateral = d.point->side == JamSide::lateralPlus || d.point->side == JamSide::lateralMinus;
  return fmt::format(
      "{}, {} the jamming diagram (Fx/Fz = {:.3g}, M/(r Fz) = {:.3g}, λ = {:.3g}, μ = {:.3g}): {}", push,
      d.point->inside() ? "on the border of" : "outside", d.push->fxOverFz(), d.push->momentOverRFz(),
      d.push->lambda(), d.push->mu,
      isLateral ? "push more along it" : "lower the moment about the lower contact");
}

/// The reason beside the faces; may be empty.
std::string reasonText(const GoalResult& result) {
  const Diagnosis& d = *result.standstill;
  switch (d.cause) {
    case StopCause::wedged:
      return wedgeText(d);
    case StopCause::jammed:
      return jamText(d);
    case StopCause::turned:
      return friction(d) + "; " +
             (d.hasTwist ? rotationText(result, Vector3d(0, 0, -d.turn_H.z()))
                         : "turn it back about the direction of insertion");
    case StopCause::tilted:
      return fmt::format("the walls hold it from both sides, since it is tilted by {}: {}", angleText(d.tilt),
                         rotationText(result, Vector3d(-d.turn_H.x(), -d.turn_H.y(), 0)));
    default:
      return d.hasFriction() ? friction(d) : "";
  }
}

std::string contactText(const GoalResult& result) {
  const Diagnosis& d = *result.standstill;
  if (d.contact.clusters.empty()) return "nothing touches it";
  if (d.cause == StopCause::faceAcross) return onFaceText(result);
  const std::string reason = reasonText(result);
  return wallsText(result) + (reason.empty() ? "" : "; " + reason);
}

}  // namespace

std::string wallClearanceText(const InsertionFit& fit) {
  if (!fit.wallClearance) return "";
  return fmt::format(", between walls with {} of {}", content::smallLengthText(std::abs(*fit.wallClearance)),
                     *fit.wallClearance < 0 ? "interference" : "clearance");
}

std::string sectionStopText(const GoalResult& result) {
  const Diagnosis& d = *result.standstill;
  const std::string where =
      fmt::format("it stands {}, {} off its way and turned by {}{}", depthText(d.depth), lengthText(d.offset),
                  angleText(result.tilt), wallClearanceText(result.fit));
  if (!d.converged)
    return fmt::format("{}: {}; no forces were found with which it moves on", toText(result.verdict), where);
  return fmt::format(
      "{}: {}; {}; {} the push of {}", toText(result.verdict), where, contactText(result),
      result.verdict == Verdict::jammed ? "mostly friction resists" : "mostly the surfaces themselves resist",
      forceText(std::max(d.axialLoad(), 0.0)));
}

}  // namespace tenon::runtime
