// Why a part stopped on its way into a hole, as far as contacts, forces and Whitney's theory tell.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/assess/insertion_contact.h"
#include "runtime/assess/insertion_fit.h"
#include "runtime/assess/insertion_view.h"
#include "runtime/assess/whitney.h"

namespace tenon::runtime {

enum class StopCause {
  none,             ///< nothing touches
  wedged,           ///< two-point contact whose friction cones contain each other
  jammed,           ///< the push lies outside the jamming diagram, or on its border
  tooWide,          ///< the part is wider than the bore
  offsetFromHole,   ///< on the face, further beside the hole than the lead-in reaches
  tilted,           ///< held at the mouth on opposite sides, tilted too far to enter
  stuckAtMouth,     ///< friction holds it on the lead-in
  balancedAtMouth,  ///< the lead-in and the load balance, friction or not
  bottomed,         ///< the bottom of the hole
  headSeated,       ///< the head on the face
  unexplained,      ///< none of these
};

std::string_view toText(StopCause cause);  ///< as in JSON: "wedged"

/// A two-point contact in the light of Whitney's wedging condition.
struct WedgeCheck {
  double length = 0;       ///< ℓ [m]
  double lengthOverD = 0;  ///< ℓ/D [-]
  double mu = 0;           ///< μ [-]
  bool possible = false;   ///< ℓ/D < μ
  bool conesMeet = false;  ///< the same by geometry: each friction cone contains the other contact point
  double squeeze = 0;      ///< by which the contacts press against each other along their line [N]
};

WedgeCheck wedgeCheckOf(const TwoPoint& contact, const InsertionFit& fit);

/// One look at a part in or at its hole.
struct Diagnosis {
  double time = 0;        ///< of the tick [s]
  double depth = 0;       ///< of the tip below the mouth [m]
  double offset = 0;      ///< of the tip from the hole's axis [m]
  double tilt = 0;        ///< [rad]
  bool converged = true;  ///< the step converged; else its contact forces mean nothing, and none are here
  bool atHole = false;    ///< it is in the catch of the goal's mouth: its depth counts (EntryRegion)
  std::string otherHole;  ///< the hole that it is pushed in where that is not the goal's: "plate/left"
  InsertionContact contact;
  PartLoad load;                      ///< on the part, but for the hole's part
  std::optional<WedgeCheck> wedge;    ///< for two-point contact
  std::optional<Push> push;           ///< in the plane of the contacts, for contact in the bore
  std::optional<JammingPoint> point;  ///< of that push
  StopCause cause = StopCause::none;  ///< supposing that it stands still

  double axialLoad() const { return -load.force_H.z(); }  ///< into the hole [N]
  double lateralLoad() const { return load.force_H.head<2>().norm(); }
  /// Between the load and the way into the hole, 0…π; 0 without load [rad].
  double loadAngle() const;
  double friction() const;       ///< of all contacts, their sizes added up [N]
  double frictionLimit() const;  ///< at which they would all slide [N]
  bool hasFriction() const;      ///< it is more than a trace
};

/// From this fraction of the way to the border of the jamming diagram a standstill is put down to jamming
/// [-]: at rest on the border a push may be found on either side, as far as tilt and motion are neglected.
inline constexpr double kJamBorder = 0.95;

/// Largest tilt at which a peg enters a hole at all, √(2c/D) [rad], c the diametral clearance; 0 for c ≤ 0.
/// There the slanting peg's section, D/cos θ long, just fits.
double entryTilt(const InsertionFit& fit);

/// The pure function from a tick, reduced to `contact` and `load`, to its diagnosis. A tick that did not
/// converge has no contact to give: see diagnoseWithoutForces().
Diagnosis diagnose(double time, const InsertionPose& stand, const InsertionContact& contact,
                   const PartLoad& load, const InsertionFit& fit);

/// The same of a tick whose forces were not found: where the part stands and what loads it.
Diagnosis diagnoseWithoutForces(double time, const InsertionPose& stand, const PartLoad& load,
                                const InsertionFit& fit);

/// The beginning of a two-point contact.
struct TwoPointOnset {
  double time = 0;   ///< [s]
  double depth = 0;  ///< of the tip [m]
  double tilt = 0;   ///< [rad]
  WedgeCheck wedge;
};

/// Two-point contact over a run, of parts that are not wider than their hole: those touch all round. Ticks
/// without it for less than kOnsetPause do not end it.
struct TwoPointHistory {
  static constexpr double kOnsetPause = 0.01;  ///< [s]

  int onsets = 0;
  std::optional<TwoPointOnset> last;      ///< the latest one
  std::optional<TwoPointOnset> riskiest;  ///< with the smallest ℓ/D
  double lastSeen = 0;                    ///< [s]; of use where onsets > 0

  void add(double time, const InsertionPose& stand, const InsertionContact& contact, const InsertionFit& fit);
};

}  // namespace tenon::runtime
