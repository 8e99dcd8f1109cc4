// Every small number of contact finding: its unit, why it has this value, and what it does.
#pragma once

namespace tenon::physics {

/// How far beyond a face's border a point may project and still count as on the face [m]. Lets no
/// point fall through the seam of two faces; 10⁶ times the rounding of a coordinate of 1 m.
inline constexpr double kBorderTolerance = 1e-10;

/// A contact whose normal separates both parts by its own distance to within this [m] is the closest
/// one, and no iterative search is needed.
inline constexpr double kProofTolerance = 1e-12;

/// Two contacts of a pair nearer than this [m], with normals nearer than kSameNormal, are one.
inline constexpr double kSamePoint = 1e-9;
inline constexpr double kSameNormal = 1e-6;  ///< length of the difference of two unit normals [-]

/// Blocks that two of their faces separate by less than this, either way, touch along an edge alone [m].
/// Above the nanometre-fractions by which contacts yield to weight, and what overlaps by no more is none.
inline constexpr double kEdgeContactTolerance = 1e-9;

/// Features tilted less than this against a face still face it: sin 15° and cos 15° [-]. Points are
/// true distances at any tilt; a larger angle only lists more of them.
inline constexpr double kFacingSine = 0.25881904510252074;
inline constexpr double kFacingCosine = 0.9659258262890683;

/// Tilt up to which two faces lie on each other [rad]: the corners of their common area tell all there is
/// to know, exactly but for a factor 1 − tilt²/2 on the distances of crossing edges.
inline constexpr double kFlushTilt = 1e-3;

/// A rim whose lowest point is less than this below its centre is level [m]: the fixed points on it are
/// lowest to a tenth of this.
inline constexpr double kLevelRimTolerance = 1e-11;

/// Overlap up to which points of features are listed [m]; in deeper overlap of thin pieces only the
/// penetration depth is asked for. Thicker pieces allow a quarter of their thickness.
inline constexpr double kShallowOverlap = 1e-4;

/// A normal this much outside the cone of the true surface's normals is still taken for one of it
/// [rad]: the accuracy of an iterative closest-point search on curved shapes.
inline constexpr double kNormalConeTolerance = 1e-4;

/// Pieces this near to each other in one part are neighbours, with no surface between them [m].
inline constexpr double kSeamTolerance = 1e-8;

}  // namespace tenon::physics
