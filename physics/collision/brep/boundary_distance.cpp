// See boundary_distance.h. The distance from the border of a face is bisected with Face::has(), for
// all kinds of trims.
#include "physics/collision/brep/boundary_distance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/brep/freeform.h"

namespace tenon::physics::brep {
namespace {

constexpr double kSampledTurn = 2 * std::numbers::pi;
/// Relative accuracy of the distance from a border [-], and its smallest value of interest [m].
constexpr double kBorderAccuracy = 1e-3, kSmallestBorder = 1e-10;

Vector3d pointOf(const Surface& s, const Vector2d& uv) {
  const double c = std::cos(uv.x()), d = std::sin(uv.x());
  switch (s.kind) {
    case SurfaceKind::cylinder:
      return {s.radius * c, s.radius * d, uv.y()};
    case SurfaceKind::cone: {
      const double r = s.radius + s.slope * uv.y();
      return {r * c, r * d, uv.y()};
    }
    case SurfaceKind::sphere: {
      const double r = s.radius * std::cos(uv.y());
      return {r * c, r * d, s.radius * std::sin(uv.y())};
    }
    case SurfaceKind::torus: {
      const double r = s.radius + s.minor * std::cos(uv.y());
      return {r * c, r * d, s.minor * std::sin(uv.y())};
    }
    case SurfaceKind::freeform:
      return s.freeform->at(s.patch, uv).p;
    case SurfaceKind::plane:
      break;
  }
  return {uv.x(), uv.y(), 0};
}

/// The distance of the foot of `p` from the face along its surface, at most `limit` [m]; infinite beyond.
double distanceFromBorder(const Face& face, const Vector3d& p, double limit) {
  if (face.has(p, 0)) return 0;
  if (!(limit > 0) || !face.has(p, limit)) return HUGE_VAL;
  double low = 0, high = limit;
  while (high - low > std::max(kBorderAccuracy * high, kSmallestBorder)) {
    const double middle = low > 0 ? 0.5 * (low + high) : 0.01 * high;
    (face.has(p, middle) ? high : low) = middle;
  }
  return high;
}

/// The distance of `p` from a quintic [m]: Newton's method from the nearest of some points.
double distanceFromQuintic(const Curve& curve, const Vector3d& p) {
  constexpr int kParts = 8, kNewtonSteps = 5;
  double nearest = HUGE_VAL, t = 0;
  for (int k = 0; k <= kParts; ++k) {
    const double at = curve.range[0] + (curve.range[1] - curve.range[0]) * k / kParts;
    if (const double distance = (curve.at(at) - p).norm(); distance < nearest) nearest = distance, t = at;
  }
  for (int step = 0; step < kNewtonSteps; ++step) {
    const CurvePoint c = curve.pointAt(t);
    const double slope = (c.p - p).dot(c.first), bend = c.first.squaredNorm() + (c.p - p).dot(c.second);
    if (!(bend > 0)) break;
    t = std::clamp(t - slope / bend, curve.range[0], curve.range[1]);
    nearest = std::min(nearest, (curve.at(t) - p).norm());
  }
  return nearest;
}

/// The distance of `p` from a curve over its range [m].
double distanceFromCurve(const Curve& curve, const Vector3d& p) {
  if (curve.kind == CurveKind::quintic) return distanceFromQuintic(curve, p);
  double nearest = std::min((curve.at(curve.range[0]) - p).norm(), (curve.at(curve.range[1]) - p).norm());
  const Vector3d w = p - curve.p;
  double t = curve.isLine() ? w.dot(curve.x) : std::atan2(w.dot(curve.y), w.dot(curve.x));
  if (curve.reaches(t, 0)) nearest = std::min(nearest, (curve.at(t) - p).norm());
  return nearest;
}

class BoundarySearch {
 public:
  BoundarySearch(const Solid& solid, const Vector3d& p) : solid_(solid), p_(p) {}

  BoundaryDistance run(double guess) {
    double reach = guess;
    for (;;) {
      solid_.tree().forEachNear(p_, reach, [&](int feature) { visit(feature); });
      if (best_.distance <= reach || std::isinf(reach)) return best_;
      // Everything that is nearer lies within the distance found; without one the reach grows.
      reach = std::isfinite(best_.distance) ? best_.distance : (reach > 1e6 ? HUGE_VAL : 8 * reach);
    }
  }

 private:
  void visit(int feature) {
    if (feature < solid_.firstEdge()) return visitFace(feature);
    if (feature >= solid_.firstVertex()) return;  // ends of edges
    const Edge& edge = solid_.edges[static_cast<std::size_t>(feature - solid_.firstEdge())];
    raise(distanceFromCurve(edge.curve, p_), edge.before);
  }

  void visitFace(int f) {
    const Face& face = solid_.faces[static_cast<std::size_t>(f)];
    const RigidTransform& X = face.surface.X_BS;
    const Vector3d inFace = X.R.transpose() * (p_ - X.p);
    if (face.surface.patch >= 0) {  // beyond its border another patch, or an edge, is nearest
      const Vector3d foot = face.surface.freeform->nearestOf(inFace, face.surface.patch).at.p;
      const double d = (inFace - foot).norm();
      if (d < best_.distance && face.has(foot)) raise(d, f);
      // Or the patch continued, where the face ends beyond the border of its surface.
      const FreeformSurface::Foot beyond = face.surface.freeform->footOf(inFace, face.surface.patch);
      const double away = (inFace - beyond.at.p).norm();
      if (!beyond.isBeyond && away < std::min(d, best_.distance) && face.has(inFace, 0)) raise(away, f);
      return;
    }
    const double height = std::abs(distanceValue(face.surface, inFace));
    if (!(height < best_.distance)) return;
    const double limit = std::isfinite(best_.distance) ? best_.distance : 1e3;
    const double border = distanceFromBorder(face, inFace, std::sqrt(limit * limit - height * height));
    raise(std::hypot(height, border), f);
  }

  void raise(double distance, int face) {
    if (distance < best_.distance) best_ = {distance, face};
  }

  const Solid& solid_;
  const Vector3d& p_;
  BoundaryDistance best_;
};

}  // namespace

BoundaryDistance distanceFromBoundary(const Solid& solid, const Vector3d& p, double guess) {
  return BoundarySearch(solid, p).run(guess);
}

void sampleFace(const Face& face, double spacing, int maxPoints,
                const std::function<void(const FaceSample&)>& visit) {
  const Surface& s = face.surface;
  // From coordinates of the trim.
  const auto pointAt = [&](const Vector2d& c) { return pointOf(s, face.ordered(c)); };
  const auto visitAt = [&](const Vector2d& c, double area) {
    const Vector3d p = pointAt(c);
    visit({s.X_BS.point(p), s.X_BS.R * distanceTo(s, p).gradient, area});
  };
  Vector2d low(0, -kSampledTurn / 4), high(kSampledTurn, kSampledTurn / 4);  // a sphere
  if (s.kind == SurfaceKind::torus) low.y() = 0, high.y() = kSampledTurn;
  if (s.patch >= 0) {
    constexpr int kLast = FreeformSurface::kSeeds - 1;
    low = s.freeform->seed(s.patch, 0, 0);
    high = s.freeform->seed(s.patch, kLast, kLast);
  }
  const auto& segments = face.trim.segments();
  const bool isBounded = s.kind == SurfaceKind::sphere || s.patch >= 0;
  if (segments.empty() && !isBounded && s.kind != SurfaceKind::torus) return;
  // The borders of a sphere do not bound its coordinates: it may reach over a pole. Those near a patch may be
  // outside of it.
  if (!segments.empty() && !isBounded) low.setConstant(HUGE_VAL), high.setConstant(-HUGE_VAL);
  for (const TrimSegment& segment : segments) {
    const double u = 0.5 * (segment.a.x() + segment.b.x());
    const Vector2d middle(u, segment.at(u));
    for (const Vector2d& c : {segment.a, middle, segment.b})
      if (s.patch < 0 || s.freeform->has(s.patch, c, Vector2d::Ones(), 0)) visitAt(c, 0);
    if (isBounded) continue;
    std::vector<Vector2d> hull{segment.a, middle, segment.b};
    if (segment.kind == TrimSegment::Kind::cubic) hull.insert(hull.end(), {segment.c, segment.d});
    for (const Vector2d& c : hull) {
      low = low.cwiseMin(c);
      high = high.cwiseMax(c);
    }
  }
  const auto scaleAt = [&](const Vector2d& c) { return face.ordered(parameterScale(s, pointAt(c))); };
  Vector2d widest = Vector2d::Zero();  // length of a unit of both coordinates
  for (const double x : {low.x(), 0.5 * (low.x() + high.x()), high.x()})
    for (const double y : {low.y(), 0.5 * (low.y() + high.y()), high.y()})
      widest = widest.cwiseMax(scaleAt({x, y}));
  const Vector2d size = (high - low).cwiseProduct(widest);
  if (!(size.minCoeff() > 0) || !size.allFinite()) return;
  const double step = std::max(spacing, std::sqrt(size.prod() / maxPoints));
  const auto cells = [&](double length) {
    return std::clamp(static_cast<int>(length / step) + 1, 2, maxPoints / 2);
  };
  const int columns = cells(size.x()), rows = cells(size.y());
  const Vector2d cell = (high - low).cwiseQuotient(Vector2d(columns, rows));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const Vector2d c = low + cell.cwiseProduct(Vector2d(column + 0.5, row + 0.5));
      if (face.has(pointAt(c), 0)) visitAt(c, cell.cwiseProduct(scaleAt(c)).prod());
    }
}

}  // namespace tenon::physics::brep
