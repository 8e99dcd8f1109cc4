// How large a scene may be: wide enough for any bench or machine, narrow enough that no number in a
// file can overflow, stall or exhaust what comes after.
#pragma once

#include <cstddef>

namespace tenon::content {

inline constexpr std::size_t kMaxFileBytes = 4u << 20;
inline constexpr std::size_t kMaxNesting = 64;  ///< JSON arrays and objects inside each other
inline constexpr std::size_t kMaxNameBytes = 64;
inline constexpr std::size_t kMaxTextBytes = 10000;      ///< titles and descriptions
inline constexpr std::size_t kMaxExpressionBytes = 500;  ///< "=…" in place of a number

inline constexpr std::size_t kMaxParts = 1000;
inline constexpr std::size_t kMaxEntries = 1000;  ///< any other list
inline constexpr std::size_t kMaxVertices = 500;  ///< of one hull
inline constexpr int kMaxSectors = 1024;          ///< facets of one hole
/// Convex pieces of all parts together: one a plain shape, one a hull's vertex, one a hole's facet.
inline constexpr int kMaxConvexParts = 20000;

inline constexpr double kMinSize = 1e-6;            ///< of a shape's measures [m]
inline constexpr double kMaxSize = 1000;            ///< of a shape's measures [m]
inline constexpr double kMaxPosition = 1e4;         ///< of any coordinate [m]
inline constexpr double kMinMass = 1e-9;            ///< of a part that moves by forces [kg]
inline constexpr double kMaxMass = 1e9;             ///< [kg]
inline constexpr double kMaxDensity = 1e6;          ///< [kg/m³]
inline constexpr double kMinInertia = 1e-24;        ///< least principal moment of such a part [kg m²]
inline constexpr double kMaxInertia = 1e15;         ///< [kg m²]
inline constexpr double kMaxVelocity = 1000;        ///< [m/s]
inline constexpr double kMaxAngularVelocity = 1e4;  ///< [rad/s]
inline constexpr double kMaxGravity = 1000;         ///< [m/s²]
inline constexpr double kMaxTime = 86400;           ///< [s]
inline constexpr double kMinRate = 10;              ///< [Hz]
inline constexpr double kMaxRate = 100000;          ///< [Hz]
inline constexpr double kMinStiffness = 1e-6;
inline constexpr double kMaxStiffness = 1e9;  ///< [N/m], [N m/rad]
inline constexpr double kMaxTurns = 10000;    ///< of a way-point
inline constexpr double kMaxForce = 1e9;      ///< [N], [N m]
inline constexpr double kMaxDampingRatio = 100;
inline constexpr double kMaxFriction = 10;
inline constexpr double kMaxSurfaceStiffness = 1e15;  ///< [N/m]

/// Parts may overlap by this much at the start [m]: far above the rounding of a pose, far below
/// anything a step can see.
inline constexpr double kInitialOverlapTolerance = 1e-9;

}  // namespace tenon::content
