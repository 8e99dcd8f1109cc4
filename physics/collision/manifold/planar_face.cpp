// Points and segments on polygons and discs.
#include "physics/collision/manifold/planar_face.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/geometry/tolerances.h"
#include "physics/collision/manifold/convex_pair.h"

namespace tenon::physics {

bool PlanarFace::has(const Vector3d& p) const {
  if (polygon) {
    for (int k = 0; k < polygon->borderCount; ++k) {
      const auto& border = polytope->borders[polygon->firstBorder + k];
      if (border.outward.dot(p) - border.offset > kBorderTolerance) return false;
    }
    return true;
  }
  if (radius < 0) return true;
  const Vector3d r = p - center;
  return (r - r.dot(normal) * normal).norm() <= radius + kBorderTolerance;
}

bool PlanarFace::clip(const Vector3d& p, const Vector3d& d, std::array<End, 2>& ends) const {
  if (polygon) return clipToPolygon(p, d, ends);
  if (radius < 0) return true;
  const Vector3d r = p - center;
  const Vector3d w = r - r.dot(normal) * normal, dw = d - d.dot(normal) * normal;
  const double a = dw.squaredNorm(), b = w.dot(dw), c = w.squaredNorm() - radius * radius;
  if (a <= 0) return c <= 0;
  const double discriminant = b * b - a * c;
  if (discriminant <= 0) return false;
  const double root = std::sqrt(discriminant);
  const auto move = [&](End& end, double t) { end = {t, false, true, (w + t * dw) / radius}; };
  if (const double t = (-b - root) / a; t > ends[0].t) move(ends[0], t);
  if (const double t = (-b + root) / a; t < ends[1].t) move(ends[1], t);
  return ends[0].t < ends[1].t;
}

bool PlanarFace::clipToPolygon(const Vector3d& p, const Vector3d& d, std::array<End, 2>& ends) const {
  for (int k = 0; k < polygon->borderCount; ++k) {
    const auto& border = polytope->borders[polygon->firstBorder + k];
    const double height = border.outward.dot(p) - border.offset;
    const double rise = border.outward.dot(d);
    // A segment along the border does not cross it, whatever the rounding.
    if (height <= kBorderTolerance && height + rise <= kBorderTolerance) continue;
    if (rise == 0) return false;
    const double at = -height / rise;
    End& end = ends[rise > 0 ? 1 : 0];
    if (rise > 0 ? at < end.t : at > end.t)
      end = {at, border.isCoplanarSeam, polytope->edges[border.edge].onSurface, border.outward};
  }
  return ends[0].t < ends[1].t;
}

int faceCount(const ConvexPart& convexPart) {
  switch (convexPart.kind) {
    case ConvexPartKind::polytope:
      return static_cast<int>(convexPart.polytope.faces.size());
    case ConvexPartKind::cylinderOrCone:
      return 2;
    case ConvexPartKind::sphereSwept:
      return 0;
    case ConvexPartKind::halfSpace:
      return 1;
  }
  return 0;
}

PlanarFace faceOf(const ConvexPart& convexPart, int k) {
  PlanarFace view;
  view.index = k;
  if (convexPart.kind == ConvexPartKind::polytope) {
    const Polytope::Face& face = convexPart.polytope.faces[k];
    view.normal = face.normal;
    view.offset = face.offset;
    view.polytope = &convexPart.polytope;
    view.polygon = &face;
    view.internal = face.internal;
    return view;
  }
  view.normal = convexPart.kind == ConvexPartKind::cylinderOrCone && k == 0 ? Vector3d(-convexPart.axis)
                                                                            : convexPart.axis;
  view.center = convexPart.kind == ConvexPartKind::cylinderOrCone ? endOf(convexPart, k) : convexPart.center;
  view.offset = view.normal.dot(view.center);
  if (convexPart.kind == ConvexPartKind::cylinderOrCone) view.radius = convexPart.radius[k];
  return view;
}

}  // namespace tenon::physics
