// Small numbers that decide what counts as solved: unit, why this value, and what it does. Numbers local to
// one algorithm stand at the top of its file.
#pragma once

namespace tenon::physics {

/// Overlap at the end of a step that is still called none [m]. Ten times below the 10 nm we promise
/// and 10⁶ times above the rounding of a coordinate of 1 m. Larger: fewer linearisations a step.
inline constexpr double kPenetrationTolerance = 1e-9;

/// Overlap at the end of a step that we promise not to exceed, whatever pushes rigid parts [m]; but for
/// crowds (below).
inline constexpr double kMaxPenetration = 1e-8;

/// Overlap at the end of a step that no solver could settle, and that is let be [m]: a third of what we
/// promise at most, as it may be there for many steps.
inline constexpr double kAcceptedPenetration = 3e-9;

/// How far a contact that carries force may be from touching, after the step [m]. The second half of
/// the complementarity 0 ≤ f ⟂ δ ≥ 0 at the end of a step.
inline constexpr double kGapTolerance = 1e-9;

/// How far a joint's equations may be from holding at the end of a step [m or rad]: a fifth of what we
/// promise, 10⁶ times above rounding.
inline constexpr double kJointTolerance = 2e-10;

/// Forces below this fraction of the largest one are not held to kGapTolerance [-].
inline constexpr double kNegligibleForce = 1e-9;

/// Compliance of every contact, as a fraction of its own Δt² A_kk [-]. Makes redundant contacts share
/// their load in one definite way and gives infeasible problems (a part pressed between two walls)
/// an answer. At 20 N on a 0.1 kg part at 1 kHz it lets the surfaces approach by some 1e-13 m.
inline constexpr double kRelativeCompliance = 1e-9;

/// In islands of many bodies that take long to settle, how far contacts may be from touching [m] that carry
/// more than kSignificantForce of the largest force [-].
inline constexpr double kRelaxedGap = 5e-8, kSignificantForce = 1e-3;

/// Islands of more bodies than this, without joints, are a crowd [-]: `auto` solves them by sweeps, whose
/// cost grows with their number alone, until no part overlaps by more than this [m]. What overlaps is pushed
/// apart in the next step, so it does not add up.
inline constexpr int kLargeIslandBodies = 32;
inline constexpr double kLargeIslandPenetration = 8e-7;

/// And until contacts with more than kSignificantForce of the largest force are no further from touching [m],
/// as far as their feature is still found.
inline constexpr double kLargeIslandGap = 2e-6;

/// A crowd whose sweeps fail goes on with what they reached, told as not converged, up to this overlap [m];
/// beyond it, it stops where it was if that is better: hundreds of bodies lose their motion by that.
inline constexpr double kLargeIslandStopPenetration = 1e-5;

/// Natural residual at which a linearised problem counts as solved, relative to its largest scaled |c| [-].
inline constexpr double kLinearTolerance = 1e-10;

/// By how much Coulomb's law may be missed at a contact in one step, as a distance [m]: a part that sticks
/// creeps by no more. Far below kPenetrationTolerance, so that 10⁵ steps of it stay below 1 µm; 10⁶ times
/// above rounding.
inline constexpr double kFrictionTolerance = 1e-11;

/// Distances asked for at most by one solver for one island in one step [-]. Smooth contacts need 1-3; a
/// contact that hops between edges may need a few more.
inline constexpr int kMaxLinearizations = 30;

/// By which every contact with friction yields [m/N]: 3 nm for 1 kN, some three hundred times stiffer than
/// steel. Where friction holds a part between two walls, rigid contacts have no definite force: whatever
/// overlap the last step left to rounding would be squeezed out with any number of newtons. With this one, 1
/// pm of it makes 0.3 N.
inline constexpr double kFrictionalCompliance = 3e-12;

/// Heavy parts move less by as much force, and yield less in proportion: this fraction of a contact's Δt²
/// A_kk at most [-], which is the above for a part of 0.1 kg at 1 kHz.
inline constexpr double kFrictionalRelativeCompliance = 3e-7;

/// kPenetrationTolerance and kGapTolerance of contacts with friction in the first trials of a step [m], for
/// the same reason; points that wander from trial to trial are later let off with those.
inline constexpr double kFrictionalGapTolerance = 1e-12;

/// How far the first trial state of a step may be ahead along the velocity of the last [m]: some steps of a
/// hand, and too little to land on the far side of a part.
inline constexpr double kPredictedDisplacement = 5e-5;

/// The same of crowds: of the thinnest body's smallest side [-], but no further than this [m]. Where hundreds
/// of bodies slide, trials that begin where they go to are fewer.
inline constexpr double kLargeIslandPredictedFraction = 0.025, kLargeIslandPredictedDisplacement = 5e-4;

/// And along what forces without contacts would add to that velocity [m]: far above the tolerances by which a
/// point is on one side of an edge or on the other, and below any clearance.
inline constexpr double kPredictedForceDisplacement = 1e-7;

/// Contacts are looked for this much beyond what the bodies can move in a step [m].
inline constexpr double kSearchMargin = 2e-5;

/// Safety on the predicted motion of a body in a step [-]; a step that moves a body further is done
/// again with a larger reach.
inline constexpr double kSearchMarginFactor = 1.5;

}  // namespace tenon::physics
