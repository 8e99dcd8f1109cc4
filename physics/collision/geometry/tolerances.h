// Tolerances of contact detection: unit, reason and effect of each.
#pragma once

namespace tenon::physics {

/// A point that projects this far beyond a face's border still counts as on the face [m], so that none is
/// lost at the seam of two faces; 10⁶ times the rounding of a coordinate of 1 m.
inline constexpr double kBorderTolerance = 1e-10;

/// A contact along whose normal the parts are separated by its own distance to within this [m] is proven to
/// be the closest; no iterative search is needed.
inline constexpr double kProofTolerance = 1e-12;

/// Two contacts of a pair closer than this [m], with normals closer than kSameNormal, are merged.
inline constexpr double kSamePoint = 1e-9;
inline constexpr double kSameNormal = 1e-6;  ///< length of the difference of two unit normals [-]

/// Polytopes whose separations along two of their faces are both within ± this touch only along an edge [m].
/// Above the deflection of contacts under weight (fractions of a nanometer), and a tolerated overlap.
inline constexpr double kEdgeContactTolerance = 1e-9;

/// Largest tilt at which a feature still faces a face: sin 15° and cos 15° [-]. Distances are exact at any
/// tilt; a larger angle only adds contact points.
inline constexpr double kFacingSine = 0.25881904510252074;
inline constexpr double kFacingCosine = 0.9659258262890683;

/// Largest tilt of two faces in contact over an area [rad]: the corners of their common area are sufficient,
/// exact but for a factor 1 − tilt²/2 on the distances of crossing edges.
inline constexpr double kFlushTilt = 1e-3;

/// Edges with a smaller sine of the angle between them are parallel and give no separating axis [-].
inline constexpr double kCrossingSine = 1e-6;

/// A rim whose lowest point is less than this below its center counts as level [m]: one of its fixed points
/// is lowest to within a tenth of this.
inline constexpr double kLevelRimTolerance = 1e-11;

/// Overlap up to which feature contacts are listed [m]; in deeper overlap of thin convex parts only the
/// penetration depth is computed. Thicker parts allow a quarter of their thickness.
inline constexpr double kShallowOverlap = 1e-4;

/// A normal this far outside the normal cone of the true surface is accepted [rad]: the accuracy of an
/// iterative closest-point search on curved shapes.
inline constexpr double kNormalConeTolerance = 1e-4;

/// Convex parts of one body closer than this are neighbors, with no surface between them [m].
inline constexpr double kSeamTolerance = 1e-8;

}  // namespace tenon::physics
