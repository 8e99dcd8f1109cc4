// Limits of a scene: wide enough for any workbench or machine, narrow enough that no number in a file
// causes an overflow, a stall or exhausted memory later.
#pragma once

#include <cstddef>

namespace tenon::content {

inline constexpr std::size_t kMaxFileBytes = 4u << 20;
inline constexpr std::size_t kMaxNesting = 64;  ///< depth of JSON arrays and objects
inline constexpr std::size_t kMaxNameBytes = 64;
inline constexpr std::size_t kMaxTextBytes = 10000;      ///< titles and descriptions
inline constexpr std::size_t kMaxExpressionBytes = 500;  ///< "=…" in place of a number

inline constexpr std::size_t kMaxParts = 1000;
inline constexpr std::size_t kMaxHands = 64;      ///< two of a person, and fixtures
inline constexpr std::size_t kMaxEntries = 1000;  ///< any other list
inline constexpr std::size_t kMaxVertices = 500;  ///< of one hull
inline constexpr int kMaxSectors = 1024;          ///< facets of one hole
/// Convex parts of a whole scene, counted as one per primitive, per hull vertex, per 64 vertices of a
/// polyhedron and per facet of a hole.
inline constexpr int kMaxConvexParts = 20000;

inline constexpr double kMinSize = 1e-6;            ///< smallest dimension of a shape [m]
inline constexpr double kMaxSize = 1000;            ///< largest dimension of a shape [m]
inline constexpr double kMaxPosition = 1e4;         ///< of any coordinate [m]
inline constexpr double kMinMass = 1e-9;            ///< of a dynamic part [kg]
inline constexpr double kMaxMass = 1e9;             ///< [kg]
inline constexpr double kMaxDensity = 1e6;          ///< [kg/m³]
inline constexpr double kMinInertia = 1e-24;        ///< smallest principal moment of a dynamic part [kg m²]
inline constexpr double kMaxInertia = 1e15;         ///< [kg m²]
inline constexpr double kMaxVelocity = 1000;        ///< [m/s]
inline constexpr double kMaxAngularVelocity = 1e4;  ///< [rad/s]
inline constexpr double kMaxGravity = 1000;         ///< [m/s²]
inline constexpr double kMaxTime = 86400;           ///< [s]
inline constexpr double kMinRate = 10;              ///< [Hz]
inline constexpr double kMaxRate = 100000;          ///< [Hz]
inline constexpr double kMinStiffness = 1e-6;
inline constexpr double kMaxStiffness = 1e9;  ///< [N/m], [N m/rad]
inline constexpr double kMaxTurns = 10000;    ///< of a waypoint
inline constexpr double kMaxForce = 1e9;      ///< [N], [N m]
inline constexpr double kMaxDampingRatio = 100;
inline constexpr double kMaxDamping = 1e6;  ///< of the motion of parts [1/s]
inline constexpr double kMaxFriction = 10;
inline constexpr double kMaxSurfaceStiffness = 1e15;  ///< [N/m]
inline constexpr double kMaxYoungsModulus_gpa = 1e4;  ///< [GPa]

/// Parts may overlap by this much at the start [m]: far above the rounding of a pose, far below the
/// resolution of a time step.
inline constexpr double kInitialOverlapTolerance = 1e-9;

/// Parts drawn with a larger overlap, up to this, are moved apart before the first step [m]: rounding in CAD,
/// and below the thickness of any shim.
inline constexpr double kSettledOverlap = 10e-6;

}  // namespace tenon::content
