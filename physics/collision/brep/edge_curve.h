// The exact curve of an edge between two surfaces, and the border that it is for the face on either side.
#pragma once

#include <span>
#include <vector>

#include "physics/collision/brep/curve.h"
#include "physics/collision/brep/solid.h"

namespace tenon::physics::brep {

/// Sine of the angle below which surfaces may be meant to continue each other smoothly [-].
inline constexpr double kNearlyTangent = 0.1;
/// Largest distance of a corner, or of a point of a border, from surfaces that do not meet there [m].
inline constexpr double kSeamGap = 10e-6;

/// The nearest point to `p` [m] of all these surfaces, by Newton's method; false if there is none within
/// `reach` [m]. Where surfaces continue each other smoothly but are each up to 10 µm from their border,
/// between them.
bool moveOnto(std::span<const Surface* const> surfaces, double reach, Vector3d& p);

/// The curves, one after the other, in which two surfaces meet from the first to the last of `points` [m],
/// which lie on both in their order: a line, a circle, or quintics that deviate from the surfaces by less
/// than a nanometer. Of a closed curve the first point is also the last, and a circle begins where the angle
/// of a surface does. Where they continue each other smoothly, the quintics pass points at which their
/// normals are parallel. Where they do not meet near `points`, but are at most kSeamGap from a border
/// through these: quintics, and lines where it turns sharply. Empty where no such curve is found.
std::vector<Curve> curvesBetween(std::span<const Vector3d> points, bool isClosed, const Surface& left,
                                 const Surface& right);

/// Adds a curve to the trim of a face; `neighbor`: the surface beyond it. False if it passes a pole or
/// crosses the seam of the face.
bool addBorder(Face& face, const Curve& curve, const Surface& neighbor);

/// Adds to the trims of two faces what is between the corners at the ends of `points` [m] and the curves of
/// their border: at a corner of surfaces that waver about each other these may end beside it. False as
/// addBorder().
bool addCornerGaps(Face& before, Face& after, std::span<const Vector3d> points,
                   std::span<const Curve> curves);

/// Outward unit normal and curvature [1/m] of a surface at the foot of `p`, in the frame of the solid.
struct SurfaceShape {
  double distance = 0;
  Vector3d normal = Vector3d::Zero();
  Matrix3d curvature = Matrix3d::Zero();
};
SurfaceShape shapeAt(const Surface& surface, const Vector3d& p);

}  // namespace tenon::physics::brep
