// Tolerances shared by several files: unit, reason and effect of each. Constants of a single algorithm are at
// the top of its file.
#pragma once

namespace tenon::physics {

/// Overlap accepted at the end of a step [m]: a tenth of the guaranteed 10 nm and 10⁶ times the rounding of a
/// coordinate of 1 m. A larger value needs fewer linearizations per step.
inline constexpr double kPenetrationTolerance = 1e-9;

/// Guaranteed bound on the overlap of rigid parts at the end of a step [m], except with Accuracy::fast
/// (below).
inline constexpr double kMaxPenetration = 1e-8;

/// Overlap tolerated at the end of a step that no solver could converge [m]: a third of the guaranteed bound,
/// as it may persist for many steps.
inline constexpr double kAcceptedPenetration = 3e-9;

/// Largest gap of a contact that carries force, at the end of a step [m]: the second half of the
/// complementarity 0 ≤ f ⟂ δ ≥ 0.
inline constexpr double kGapTolerance = 1e-9;

/// Largest residual of a joint's equations at the end of a step [m or rad]: a fifth of the guaranteed bound,
/// 10⁶ times rounding.
inline constexpr double kJointTolerance = 2e-10;

/// Residual of a joint's equations up to which a failed step moves its bodies [m or rad]: between the ends of
/// a step bodies move along straight lines and joints open by their sagitta. The next step closes them.
inline constexpr double kBackOffJointError = 1e-6;

/// Contacts with a force below this fraction of the largest one need not meet kGapTolerance [-].
inline constexpr double kNegligibleForce = 1e-9;

/// Compliance of every contact, relative to its own Δt² A_kk [-]. It makes the load of redundant contacts
/// unique and gives infeasible problems (a part pressed between two walls) a solution. At 20 N on a 0.1 kg
/// part at 1 kHz the surfaces approach by some 1e-13 m.
inline constexpr double kRelativeCompliance = 1e-9;

/// Overlap accepted at the end of a step with Accuracy::fast [m]. The next step removes it, so it does not
/// accumulate.
inline constexpr double kFastPenetration = 8e-7;

/// Gap tolerance with Accuracy::fast [m], for contacts with more than kSignificantForce of the largest force
/// [-] whose feature is still found, or whose parts have no contact any more.
inline constexpr double kFastGap = 2e-6, kSignificantForce = 1e-3;

/// With Accuracy::fast, islands whose sweeps do not converge keep their result (reported as not converged) up
/// to this overlap [m]. Beyond it the bodies move only a fraction of the step.
inline constexpr double kFastAcceptedPenetration = 1e-5;

/// Natural residual at which a linearized problem is solved, relative to its largest scaled |c| [-]: 10⁻¹⁴ m
/// for a part that falls from rest at 1 kHz. Forces on one gram under a ton are rounded to a tenth of that.
inline constexpr double kLinearTolerance = 1e-10;

/// Smallest tolerance of a linearized problem, which rounding of its terms leaves [√J]; without friction also
/// as a distance, where heavy bodies press on light ones [m]; with friction relative to its largest scaled
/// |c| [-].
inline constexpr double kLinearFloor = 1e-18, kLengthFloor = 1e-14, kFrictionFloor = 1e-15;

/// Tolerance on Coulomb's law at a contact per step, as a distance [m]: the bound on the creep of a sticking
/// part. 10⁵ steps of it stay below 1 µm; 10⁶ times rounding.
inline constexpr double kFrictionTolerance = 1e-11;

/// The same where sticking contacts lock parts against each other: what is left of their gaps cannot close
/// without sliding, and no forces reduce the residual [m].
inline constexpr double kLockedFrictionTolerance = 1e-10;

/// Maximum number of distance evaluations (linearizations) of one solver for one island in one step [-], and
/// in a step that can be divided. Smooth contacts need 1-3; contacts that jump between edges a few more.
inline constexpr int kMaxLinearizations = 30, kDivisibleLinearizations = 12;

/// Compliance of every contact with friction [m/N]: 3 nm for 1 kN, some three hundred times stiffer than
/// steel. Forces on a rigid part clamped by friction between two walls are not unique: rounding overlap of
/// the last step could cause any force. With this compliance 1 pm of overlap causes 0.3 N.
inline constexpr double kFrictionalCompliance = 3e-12;

/// Upper bound of the same compliance relative to a contact's Δt² A_kk [-], so that heavy parts yield less;
/// equals kFrictionalCompliance for a part of 0.1 kg at 1 kHz.
inline constexpr double kFrictionalRelativeCompliance = 3e-7;

/// Largest displacement by the same compliance [m]: half of the guaranteed bound, which no compliance
/// excuses.
inline constexpr double kLargestYield = 0.5 * kMaxPenetration;

/// Replaces kPenetrationTolerance and kGapTolerance for contacts with friction in the first iterations of a
/// step [m], for the same reason; later iterations accept those two.
inline constexpr double kFrictionalGapTolerance = 1e-12;

/// Bound on the predicted displacement of the first trial state along the last velocity [m]: some steps of a
/// hand motion, and too short to pass through a part.
inline constexpr double kPredictedDisplacement = 5e-5;

/// The same with Accuracy::fast: a fraction of the smallest side of the thinnest body [-], and at most this
/// [m]. A longer prediction saves iterations where hundreds of bodies slide.
inline constexpr double kFastPredictedFraction = 0.025, kFastPredictedDisplacement = 5e-4;

/// Bound on the predicted displacement due to the change of velocity, by forces and by contacts as in the
/// last step [m]: above the tolerances that decide on which side of an edge a point is, and so short that the
/// contacts of threads that rest or turn evenly are found once a step.
inline constexpr double kPredictedForceDisplacement = 1.5e-8;

/// Added to the distance that bodies can move in a step when searching for contacts [m].
inline constexpr double kSearchMargin = 2e-5;

/// Safety factor on the predicted motion of a body in a step [-]; a step that moves a body further is
/// repeated with a larger search margin.
inline constexpr double kSearchMarginFactor = 1.5;

}  // namespace tenon::physics
