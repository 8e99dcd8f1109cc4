// Sentences from the values of a diagnosis.
#include "runtime/report/diagnosis_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/report/place_text.h"
#include "runtime/report/section_text.h"
#include "runtime/report/thread_text.h"
#include "runtime/report/units_text.h"

namespace tenon::runtime {

namespace {

std::string touchText(const ContactCluster& c) {
  return fmt::format("{} on the {}", toText(c.feature), toText(c.surface));
}

/// The largest contacts, at most three: "tip edge on the bore wall, shank on the bore edge".
std::string touchesText(const InsertionContact& contact) {
  std::string text;
  int listed = 0;
  for (const ContactCluster& c : contact.clusters) {
    const std::string touch = touchText(c);
    if (text.find(touch) != std::string::npos) continue;
    if (++listed > 3) return text + " and more";
    text += (text.empty() ? "" : ", ") + touch;
  }
  return text;
}

std::string stateText(const Diagnosis& d) {
  switch (d.contact.state) {
    case ContactState::onePoint:
      return "one-point contact";
    case ContactState::twoPoint:
      return "two-point contact";
    case ContactState::line:
      return d.contact.allRound ? "contact all round" : "contact along one side";
    default:
      return "contact";
  }
}

/// "two-point contact, the tip 6.20 mm deep and tilted 0.5° (tip edge on the bore wall, ...)".
std::string boreText(const Diagnosis& d) {
  return fmt::format("{}, the tip {} and tilted {} ({})", stateText(d), depthText(d.depth), angleText(d.tilt),
                     touchesText(d.contact));
}

std::string wedgedText(const Diagnosis& d) {
  const WedgeCheck& w = *d.wedge;
  const std::string why =
      w.possible ? fmt::format(
                       "ℓ/D = {:.3g} is below μ = {:.3g}, so the friction cones contain each other's contact",
                       w.lengthOverD, w.mu)
                 : fmt::format(
                       "the line between the contacts lies in both friction cones (ℓ/D = {:.3g}, μ = {:.3g})",
                       w.lengthOverD, w.mu);
  return fmt::format(
      "wedged: {}; {} and hold the part between them with {}: do not push on, turn it upright or pull "
      "it back",
      boreText(d), why, forceText(w.squeeze));
}

std::string diagramText(const Diagnosis& d) {
  return fmt::format("Fx/Fz = {:.3g}, M/(r Fz) = {:.3g}, λ = {:.3g}, μ = {:.3g}", d.push->fxOverFz(),
                     d.push->momentOverRFz(), d.push->lambda(), d.push->mu);
}

std::string jammedText(const Diagnosis& d) {
  const double slope = d.push->length / (2 * d.push->radius);
  const bool lateral =
      d.push->mu * std::abs(d.push->fx) >= d.push->fz ||
      std::abs(d.push->fx) * (d.push->mu + slope) >= std::abs(d.push->moment) / d.push->radius;
  return fmt::format("jammed: {}; the push of {} acts {} off the axis, {} the jamming diagram ({}): {}",
                     boreText(d), forceText(d.load.force_H.norm()), angleText(d.loadAngle()),
                     d.point->inside() ? "on the border of" : "outside", diagramText(d),
                     lateral ? "push nearer the axis" : "lower the moment about the tip");
}

/// "the part is 4 µm wider than the bore (Ø6.000 into Ø5.996 mm)".
std::string interferenceText(const InsertionFit& fit) {
  return fmt::format("the part is {} wider than the bore (Ø{:.3f} into Ø{:.3f} mm)",
                     smallLengthText(-fit.clearance()), 2e3 * fit.pegRadius, 2e3 * fit.boreRadius);
}

/// Cause and position of the tip.
std::string tooWideText(const GoalResult& result, const Diagnosis& d) {
  const InsertionFit& fit = result.fit;
  const std::string yields =
      !std::isfinite(fit.stiffness) ? ", and neither yields"
      : !d.converged                ? ", and the forces of these steps are not known: raise --rate"
                     : fmt::format(", and {} is too little to press it on against a stiffness of {}",
                                   forceText(std::max(d.axialLoad(), 0.0)), stiffnessText(fit.stiffness));
  const std::string why = interferenceText(fit) + yields;
  if (!d.converged)
    return fmt::format("{}: {}; it stands with the tip {} and tilted {}", toText(result.verdict), why,
                       depthText(d.depth), angleText(d.tilt));
  const ContactCluster& c = d.contact.clusters.front();
  return fmt::format("{} at the {}: {}; its {} rests there, {}", toText(result.verdict), toText(c.surface),
                     why, toText(c.feature), depthText(c.depth()));
}

/// "friction holds it there (8.16 N of at most 22.2 N)".
std::string frictionText(const Diagnosis& d) {
  return fmt::format("friction holds it there ({} of at most {})", forceText(d.friction()),
                     forceText(d.frictionLimit()));
}

std::string besideText(const Diagnosis& d, const InsertionFit& fit) {
  return fmt::format("{}, the tip's middle {} beside the hole's axis, beyond the {} {}{}",
                     touchesText(d.contact), lengthText(d.offset), lengthText(fit.captureRadius()),
                     fit.hasLeadIn() ? "that the lead-in reaches" : "of play, without a lead-in",
                     d.hasFriction() ? "; " + frictionText(d) : "");
}

/// Contact and depth of the tip.
std::string restingText(const Diagnosis& d) {
  return fmt::format("it rests at the mouth ({}), the tip {}, {} off the axis and tilted {}",
                     touchesText(d.contact), depthText(d.depth), lengthText(d.offset), angleText(d.tilt));
}

std::string unexplainedText(const Diagnosis& d) {
  if (!d.converged)
    return fmt::format(
        "it stands with the tip {}, {} off the axis and tilted {}; no forces were found with which it moves "
        "on, so none explain the stop",
        depthText(d.depth), lengthText(d.offset), angleText(d.tilt));
  if (!d.point) return fmt::format("{}; the theory does not cover this position", touchesText(d.contact));
  if (!(d.push->mu > 0))
    return boreText(d) + "; without friction neither wedging nor jamming explains the stop";
  if (d.point->side == JamSide::noPush)
    return boreText(d) + "; no load pushes it in, so neither wedging nor jamming explains the stop";
  return fmt::format(
      "{}; the push lies inside the jamming diagram ({}) and no two friction cones contain each "
      "other's contact: neither wedging nor jamming explains the stop",
      boreText(d), diagramText(d));
}

/// The largest contact on a supporting surface, else the largest of all.
const ContactCluster& seatOf(const Diagnosis& d) {
  const auto& clusters = d.contact.clusters;
  const auto seat = std::find_if(clusters.begin(), clusters.end(), [](const ContactCluster& c) {
    return c.surface == HoleSurface::bottom || c.surface == HoleSurface::drillPoint ||
           c.surface == HoleSurface::step;
  });
  return seat == clusters.end() ? clusters.front() : *seat;
}

/// The largest contact of the head; there must be one.
const ContactCluster& headOf(const Diagnosis& d) {
  return *std::find_if(d.contact.clusters.begin(), d.contact.clusters.end(),
                       [](const ContactCluster& c) { return c.feature == PartFeature::head; });
}

/// True if the part is in or above its hole, where its depth is defined.
std::string shortText(const Diagnosis& d, const content::Goal& goal) {
  return d.atHole ? lengthText(goal.depth - d.depth) + " short of its depth"
                  : lengthText(d.offset) + " beside the hole's axis";
}

/// True if the tip is below the mouth's plane but not in the hole.
bool isBeside(const Diagnosis& d) {
  return !d.atHole && d.depth > 0;
}

/// Text of the tip's position, also below the mouth's plane outside the hole.
std::string whereText(const Diagnosis& d) {
  if (!isBeside(d)) return fmt::format("{} and {} off the axis", depthText(d.depth), lengthText(d.offset));
  return fmt::format("beside the hole, {} off its axis and {} below its mouth", lengthText(d.offset),
                     lengthText(d.depth));
}

std::string causeText(const Diagnosis& d, const InsertionFit& fit, const content::Goal& goal) {
  const std::string shortBy = shortText(d, goal);
  switch (d.cause) {
    case StopCause::offsetFromHole:
      return besideText(d, fit);
    case StopCause::tilted:
      return fmt::format("{}, more than the {} at which it can enter, and held from all sides",
                         restingText(d), angleText(entryTilt(fit)));
    case StopCause::stuckAtMouth:
      return fmt::format("{}; {} against a push of {} that acts {} off the axis", restingText(d),
                         frictionText(d), forceText(d.load.force_H.norm()), angleText(d.loadAngle()));
    case StopCause::balancedAtMouth:
      return fmt::format("{}, against a push of {} that acts {} off the axis", restingText(d),
                         forceText(d.load.force_H.norm()), angleText(d.loadAngle()));
    case StopCause::bottomed:
      return fmt::format("the {} stands on the {} of the hole with the tip {}, {}", toText(seatOf(d).feature),
                         toText(seatOf(d).surface), depthText(d.depth), shortBy);
    case StopCause::headSeated:
      return fmt::format("the head rests on the {} with the tip {}, {}", toText(headOf(d).surface),
                         depthText(d.depth), shortBy);
    case StopCause::none:
      return "nothing touches it";
    case StopCause::faceAcross:
    case StopCause::turned:
    case StopCause::tooWide:
    case StopCause::wedged:
    case StopCause::jammed:
    case StopCause::unexplained:
      break;
  }
  return unexplainedText(d);
}

/// Contacts are named by the goal's hole, so in another hole only the head's contact is named.
std::string otherHoleText(const GoalResult& result, const content::Goal& goal) {
  const Diagnosis& d = *result.standstill;
  const std::string head = d.cause == StopCause::headSeated
                               ? "; its head rests on the " + std::string(toText(headOf(d).surface))
                               : "";
  return fmt::format("{}: the part is in the hole {}, {} beside the axis of its own, {}{}",
                     toText(result.verdict), d.otherHole, lengthText(d.offset), goal.hole, head);
}

std::string stopText(const GoalResult& result, const content::Goal& goal) {
  const Diagnosis& d = *result.standstill;
  if (!d.otherHole.empty()) return otherHoleText(result, goal);
  if (!result.fit.hasHole()) return sectionStopText(result);
  if (d.cause == StopCause::wedged) return wedgedText(d);
  if (d.cause == StopCause::jammed) return jammedText(d);
  if (d.cause == StopCause::tooWide) return tooWideText(result, d);
  return fmt::format("{}: {}", toText(result.verdict), causeText(d, result.fit, goal));
}

std::string historyText(const TwoPointHistory& history) {
  if (history.onsets == 0) return "no two-point contact, so wedging was impossible";
  const TwoPointOnset& onset = *history.riskiest;
  const WedgeCheck& w = onset.wedge;
  const std::string times = history.onsets == 1 ? "once" : fmt::format("{} times", history.onsets);
  const std::string where =
      fmt::format("two-point contact {}, {}with the tip {} and the two points ℓ = {} apart along the bore",
                  times, history.onsets == 1 ? "beginning " : "nearest to wedging ", depthText(onset.depth),
                  lengthText(w.length));
  if (!(w.mu > 0)) return where + "; without friction it cannot wedge";
  return fmt::format("{}: ℓ/D = {:.3g} is {} μ = {:.3g}, so it {}", where, w.lengthOverD,
                     w.possible ? "below" : "not below", w.mu,
                     w.possible ? "might have wedged" : "could not wedge");
}

std::string insertedText(const GoalResult& result) {
  if (!result.fit.hasHole())
    return fmt::format("inserted: {} off its way and turned by {}{}; pushed with {} at most",
                       lengthText(result.current.offset), angleText(result.tilt),
                       wallClearanceText(result.fit), forceText(result.maxPush));
  if (!result.fit.isInterference()) return "inserted: " + historyText(result.twoPoint);
  const std::string yields = std::isfinite(result.fit.stiffness)
                                 ? "; stiffness " + stiffnessText(result.fit.stiffness)
                                 : std::string();
  return fmt::format("inserted by force: {}; pushed home with {} at most{}", interferenceText(result.fit),
                     forceText(result.maxPush), yields);
}

std::string tooDeepText(const GoalResult& result, const content::Goal& goal) {
  if (!result.atHole())
    return fmt::format("too deep: the part went right through the hole; its tip is {} below the mouth",
                       lengthText(result.depth));
  return fmt::format("too deep: the tip is {}, {} deeper than the goal's {} ± {}", depthText(result.depth),
                     lengthText(result.depth - goal.depth), lengthText(goal.depth),
                     lengthText(goal.depthTolerance));
}

std::string leaningText(const Diagnosis& d, const content::Goal& goal) {
  const std::string touches = d.contact.clusters.empty() ? "" : " (" + touchesText(d.contact) + ")";
  return fmt::format(
      "pending: tilted by {} it is {}{}; upright it would be seated: release it or turn it upright",
      angleText(d.tilt), shortText(d, goal), touches);
}

std::string pendingText(const GoalResult& result, const content::Goal& goal) {
  const Diagnosis& d = result.current;
  const std::string touch = !d.converged                 ? "the last step did not converge"
                            : d.contact.clusters.empty() ? "nothing touched it"
                                                         : "touching: " + touchesText(d.contact);
  if (result.limitedByTilt) return leaningText(d, goal);
  const std::string place = "the tip was " + whereText(d);
  const bool deep = d.atHole && d.depth >= goal.depth - goal.depthTolerance;
  if (deep && result.tilt > goal.tiltTolerance)
    return fmt::format("pending: {}, but {} by {} where {} is allowed", place,
                       goal.pose ? "turned" : "tilted", angleText(result.tilt),
                       angleText(goal.tiltTolerance));
  if (deep && goal.pose && d.offset > goal.pose->across)
    return fmt::format("pending: {}, but {} beside its place where {} is allowed", place,
                       lengthText(d.offset), lengthText(goal.pose->across));
  if (deep && (!(result.fit.boreRadius > 0) || d.offset <= result.fit.boreRadius))
    return fmt::format("pending: {}, but not so within the time limit of {:g} s", place, goal.timeLimit);
  return fmt::format("pending: at the end {}, not pushed to a standstill; {}", place, touch);
}

std::string verdictText(const GoalResult& result, const content::Goal& goal) {
  switch (result.verdict) {
    case Verdict::inserted:
      return insertedText(result);
    case Verdict::tooDeep:
      return tooDeepText(result, goal);
    case Verdict::tightened:
      return result.thread ? tightText(*result.thread) : std::string(toText(result.verdict));
    case Verdict::started:
      return result.thread ? startedText(*result.thread) : std::string(toText(result.verdict));
    case Verdict::crossThreaded:
      return result.thread ? crossedText(*result.thread) : std::string(toText(result.verdict));
    case Verdict::stripped:
      return result.thread ? strippedText(*result.thread, goal) : std::string(toText(result.verdict));
    case Verdict::jammed:
    case Verdict::blocked:
      return result.standstill ? stopText(result, goal) : std::string(toText(result.verdict));
    case Verdict::released:
      return "released before it was inserted; at the end the tip is " +
             (isBeside(result.current) ? whereText(result.current) : depthText(result.depth));
    case Verdict::pending:
      break;
  }
  return pendingText(result, goal);
}

}  // namespace

std::string explanationOf(const GoalResult& result, const content::Goal& goal) {
  const std::string text = verdictText(result, goal);
  if (!result.thread || isReached(result.verdict) || result.verdict == Verdict::crossThreaded ||
      result.verdict == Verdict::stripped)
    return text;
  return text + "; " + threadStateText(*result.thread, goal);
}

std::string verdictAndExplanation(const GoalResult& result, const content::Goal& goal) {
  const std::string why = explanationOf(result, goal);
  std::string words(toText(result.verdict));  // "too-deep", "too deep: …"
  std::replace(words.begin(), words.end(), '-', ' ');
  if (why.starts_with(toText(result.verdict)) || why.starts_with(words)) return why;
  return std::string(toText(result.verdict)) + ": " + why;
}

}  // namespace tenon::runtime
