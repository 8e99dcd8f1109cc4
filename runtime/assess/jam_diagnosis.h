// Why a part stopped during insertion, from contacts, forces and Whitney's theory.
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
  none,             ///< no contact
  wedged,           ///< two-point contact whose friction cones contain each other
  jammed,           ///< the push is outside the jamming diagram or on its border
  tooWide,          ///< the part is wider than the bore
  offsetFromHole,   ///< on the face, beyond the radius of the lead-in
  tilted,           ///< in contact on opposite sides of the mouth, tilt too large to enter
  stuckAtMouth,     ///< held by friction on the lead-in
  balancedAtMouth,  ///< lead-in and load balance, with or without friction
  bottomed,         ///< on the bottom of the hole
  headSeated,       ///< with the head on the face
  faceAcross,       ///< in an unknown section: on a face across the direction of insertion, or inclined to it
  turned,           ///< in an unknown section: held by friction on walls that keep it from turning
  unexplained,      ///< none of these
};

std::string_view toText(StopCause cause);  ///< as in JSON: "wedged"

/// Whitney's wedging condition for a two-point contact.
struct WedgeCheck {
  double length = 0;       ///< ℓ [m]
  double width = 0;        ///< D [m]
  double lengthOverD = 0;  ///< ℓ/D [-]
  double mu = 0;           ///< μ [-]
  bool possible = false;   ///< ℓ/D < μ
  bool conesMeet = false;  ///< the same by geometry: each friction cone contains the other contact point
  double squeeze = 0;      ///< force of the contacts against each other along their line [N]
};

/// In an unknown section ℓ is their whole distance along the walls, and D the distance across.
WedgeCheck wedgeCheckOf(const TwoPoint& contact, const InsertionFit& fit);

/// State of a part in or at its hole after one step.
struct Diagnosis {
  double time = 0;    ///< of the step [s]
  double depth = 0;   ///< of the tip below the mouth [m]
  double offset = 0;  ///< of the tip from the hole's axis [m]
  double tilt = 0;    ///< [rad]
  /// From the goal's place to the part's, in the hole's frame: of its tip, across the axis [m], and the
  /// rotation vector [rad]. About the axis it is 0 without a pose.
  Vector3d offset_H = Vector3d::Zero(), turn_H = Vector3d::Zero();
  bool hasTwist = false;  ///< the rotation about the axis is known: the goal is a pose
  bool converged = true;  ///< the step converged; else its contact forces are invalid and omitted
  bool atHole = false;    ///< it is in the goal's entry region (EntryRegion)
  std::string otherHole;  ///< the hole it is pushed into if not the goal's: "plate/left"
  InsertionContact contact;
  PartLoad load;                      ///< on the part, without the hole's part
  std::optional<WedgeCheck> wedge;    ///< for two-point contact
  std::optional<Push> push;           ///< in the plane of the contacts, for contact in the bore
  std::optional<JammingPoint> point;  ///< of that push
  StopCause cause = StopCause::none;  ///< assuming a standstill

  double axialLoad() const { return -load.force_H.z(); }  ///< into the hole [N]
  double lateralLoad() const { return load.force_H.head<2>().norm(); }
  /// Angle between the load and the direction into the hole, 0…π; 0 without load [rad].
  double loadAngle() const;
  double axialFriction() const;  ///< sum over all contacts, out of the hole [N]
  double friction() const;       ///< sum of the magnitudes over all contacts [N]
  double frictionLimit() const;  ///< sum at which all contacts slide [N]
  bool hasFriction() const;      ///< it is not negligible
};

/// From this fraction of the distance to the border of the jamming diagram a standstill counts as jamming
/// [-]: the theory neglects tilt and motion, so a push on the border may be computed on either side.
inline constexpr double kJamBorder = 0.95;

/// Largest tilt at which a peg can enter a hole, √(2c/D) [rad], c the diametral clearance; 0 for c ≤ 0.
/// The section of the tilted peg is D/cos θ long and then equals the bore's diameter.
double entryTilt(const InsertionFit& fit);

/// The pure function from a tick, reduced to `contact` and `load`, to its diagnosis. A tick that did not
/// converge has no contact to give: see diagnoseWithoutForces().
Diagnosis diagnose(double time, const InsertionPose& stand, const InsertionContact& contact,
                   const PartLoad& load, const InsertionFit& fit);

/// The same for a step without valid forces: only pose and load of the part.
Diagnosis diagnoseWithoutForces(double time, const InsertionPose& stand, const PartLoad& load,
                                const InsertionFit& fit);

/// Start of a two-point contact.
struct TwoPointOnset {
  double time = 0;   ///< [s]
  double depth = 0;  ///< of the tip [m]
  double tilt = 0;   ///< [rad]
  WedgeCheck wedge;
};

/// Two-point contact over a run, for clearance fits only: interference fits touch all around. Pauses shorter
/// than kOnsetPause do not end it.
struct TwoPointHistory {
  static constexpr double kOnsetPause = 0.01;  ///< [s]

  int onsets = 0;
  std::optional<TwoPointOnset> last;      ///< the latest
  std::optional<TwoPointOnset> riskiest;  ///< with the smallest ℓ/D
  double lastSeen = 0;                    ///< [s]; valid if onsets > 0

  void add(double time, const InsertionPose& stand, const InsertionContact& contact, const InsertionFit& fit);
};

}  // namespace tenon::runtime
