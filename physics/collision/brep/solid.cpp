// See solid.h.
#include "physics/collision/brep/solid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "physics/collision/brep/freeform.h"
#include "physics/math/parallel_for.h"

namespace tenon::physics::brep {
namespace {

/// From the bits of a contact's feature.
constexpr int kMaxFeatureCount = 1 << 24;

/// Of the ray that counts faces: along no axis and no diagonal, so that it rarely meets an edge.
const Vector3d kRay = Vector3d(0.5403023058681398, 0.3817732906760363, 0.7497935312341637).normalized();

/// Sine of the angle between faces that meet nearly smoothly, or in a cleft, and have no corner [-].
constexpr double kLeastCornerSine = 0.05;
/// Of the sum of the lengths by which a foot lies past the edges of a corner, what bounds its distance from
/// the border where several edges meet, or faces are curved [-].
constexpr double kPastCorner = 2;

void include(Bounds& bounds, const Vector3d& p) {
  bounds.low = bounds.low.cwiseMin(p);
  bounds.high = bounds.high.cwiseMax(p);
}

}  // namespace

Vector2d Face::coordinatesOf(const Vector3d& p) const {
  Vector2d uv = ordered(parametersOf(surface, p));
  if (surface.kind != SurfaceKind::torus) return uv;
  const double turn = 2 * std::numbers::pi;
  uv.y() -= turn * std::floor((uv.y() - seam) / turn);
  return uv;
}

bool Face::has(const Vector3d& p, double tolerance) const {
  if (surface.patch >= 0 &&
      !surface.freeform->has(surface.patch, parametersOf(surface, p), parameterScale(surface, p), tolerance))
    return false;
  return trim.segments().empty() ||
         trim.contains(coordinatesOf(p), ordered(parameterScale(surface, p)), tolerance);
}

bool Face::hasBall(const Vector3d& p, double radius) const {
  return trim.segments().empty() || trim.contains(coordinatesOf(p), ordered(parameterScale(surface, p)),
                                                  kTrimTolerance, kFacingSine * radius);
}

Bounds boundsOf(const Curve& curve) {
  Bounds bounds;
  if (curve.kind == CurveKind::quintic) {
    for (const Vector3d& p : curve.bezier) include(bounds, p);
    return bounds;
  }
  include(bounds, curve.at(curve.range[0]));
  include(bounds, curve.at(curve.range[1]));
  if (curve.isLine()) return bounds;
  for (int axis = 0; axis < 3; ++axis) {
    const double top = std::atan2(curve.y[axis], curve.x[axis]);
    for (const double t : {top, top + std::numbers::pi})
      if (double at = t; curve.reaches(at, 0)) include(bounds, curve.at(at));
  }
  return bounds;
}

Vector3d Solid::normalOf(int f, const Vector3d& p) const {
  const Surface& surface = faces[static_cast<std::size_t>(f)].surface;
  const RigidTransform& X = surface.X_BS;
  if (surface.kind == SurfaceKind::plane) return X.R * Vector3d(0, 0, surface.side);
  const Vector3d inSurface = X.R.transpose() * (p - X.p);
  if (surface.kind != SurfaceKind::freeform) return X.R * distanceTo(surface, inSurface).gradient;
  return X.R * (surface.side * surface.freeform->footOf(inSurface).normal);  // of whichever patch is there
}

void Solid::addConcaveNeighbor(int f, int g, const Vector3d& p) {
  if (normalOf(f, p).cross(normalOf(g, p)).norm() < kLeastCornerSine) return;
  for (const auto& [one, other] : {std::pair(f, g), std::pair(g, f)}) {
    std::vector<int>& concaveNeighbors = faces[static_cast<std::size_t>(one)].concaveNeighbors;
    if (std::find(concaveNeighbors.begin(), concaveNeighbors.end(), other) == concaveNeighbors.end())
      concaveNeighbors.push_back(other);
  }
}

// The foot of `p` on face `f` [m, frame of the surface], moved into the face across the concave edges that it
// lies past, where it is behind their faces by at most `limit`.
Vector3d Solid::footInCorner(int f, const Vector3d& p, double limit) const {
  constexpr int kSweeps = 4;
  constexpr double kInside = 1e-6;  // past the deviation of an edge from its surfaces [m]
  const Face& face = faces[static_cast<std::size_t>(f)];
  const RigidTransform& S = face.surface.X_BS;
  Vector3d foot = S.R.transpose() * (p - S.p);
  bool isMoved = true;
  for (int sweep = 0; sweep < kSweeps && isMoved; ++sweep) {
    isMoved = false;
    for (const int neighbor : face.concaveNeighbors) {
      const SurfaceDistance own = distanceTo(face.surface, foot);
      foot -= own.value * own.gradient;
      Surface other = faces[static_cast<std::size_t>(neighbor)].surface;
      other.patch = -1;  // of a free-form surface whichever patch is there
      const SurfaceDistance behind =
          distanceTo(other, other.X_BS.R.transpose() * (S.point(foot) - other.X_BS.p));
      if (behind.value >= 0.5 * kInside || behind.value < -limit) continue;
      const Vector3d out = S.R.transpose() * (other.X_BS.R * behind.gradient);
      const Vector3d along = out - own.gradient.dot(out) * own.gradient;
      const double sine = along.norm();
      if (sine < kLeastCornerSine) continue;
      foot += (kInside - behind.value) / (sine * sine) * along;
      isMoved = true;
    }
  }
  return foot;
}

bool Solid::isInConcaveCorner(int f, const Vector3d& p, const SurfaceDistance& distance, double limit) const {
  const Face& face = faces[static_cast<std::size_t>(f)];
  double past = 0, least = HUGE_VAL, most = std::max(0.0, -distance.value);  // past edges; overlaps
  for (const int neighbor : face.concaveNeighbors) {
    Surface other = faces[static_cast<std::size_t>(neighbor)].surface;
    other.patch = -1;  // of a free-form surface whichever patch is there
    const SurfaceDistance behind = distanceTo(other, other.X_BS.R.transpose() * (p - other.X_BS.p));
    if (behind.value >= 0 || behind.value < -limit) continue;
    // The two planes enclose an angle of free space whose cosine is −c.
    const Vector3d inFace = face.surface.X_BS.R.transpose() * (other.X_BS.R * behind.gradient);
    const double c = distance.gradient.dot(inFace), sine = std::sqrt(std::max(0.0, 1 - c * c));
    if (sine < kLeastCornerSine) continue;
    const double pastEdge = (-behind.value + c * distance.value) / sine;
    if (pastEdge <= 0 || pastEdge > limit) continue;
    past += pastEdge;
    least = std::min(least, -behind.value);
    most = std::max(most, -behind.value);
  }
  const RigidTransform& S = face.surface.X_BS;
  if (past == 0 || !face.has(S.R.transpose() * (p - S.p), kTrimTolerance + kPastCorner * past)) return false;
  if (!face.has(footInCorner(f, p, limit), kTrimTolerance)) return false;
  if (most <= kProvenOverlap) return true;
  if (distance.value < 0) least = std::min(least, -distance.value);
  return contains(p) && !isFaceNearer(p, kShareOfDepth * least);
}

bool Solid::areOneSurface(int f, int g) const {
  const auto surfaceOf = [&](int k) -> const Surface& { return faces[static_cast<std::size_t>(k)].surface; };
  return f == g || (surfaceOf(f).freeform && surfaceOf(f).freeform == surfaceOf(g).freeform);
}

bool Solid::contains(const Vector3d& p) const {
  return contains(p, kRay);
}

bool Solid::contains(const Vector3d& p, const Vector3d& along) const {
  int count = 0;
  tree_.forEachOnRay(p, along, [&](int feature) {
    if (feature >= firstEdge()) return;
    const Face& face = faces[static_cast<std::size_t>(feature)];
    const RigidTransform& X = face.surface.X_BS;
    const Vector3d from = X.R.transpose() * (p - X.p), d = X.R.transpose() * along;
    std::array<double, 4> t;
    for (int k = crossings(face.surface, from, d, t) - 1; k >= 0; --k)
      if (face.has(from + t[static_cast<std::size_t>(k)] * d, 0)) ++count;
  });
  return count % 2 == 1;
}

bool Solid::isFaceNearer(const Vector3d& p, double distance, const Edge* except) const {
  bool isNearer = false;
  tree_.forEachNear(p, distance, [&](int feature) {
    if (isNearer || feature >= firstEdge()) return;
    if (except != nullptr &&
        (areOneSurface(feature, except->before) || areOneSurface(feature, except->after)))
      return;
    const Face& face = faces[static_cast<std::size_t>(feature)];
    const RigidTransform& X = face.surface.X_BS;
    const Vector3d inFace = X.R.transpose() * (p - X.p);
    isNearer = std::abs(distanceValue(face.surface, inFace)) < distance && face.has(inFace);
  });
  return isNearer;
}

// As far as one of its faces surrounds it, at most the depth limit: there the face and what lies behind it
// contain the wedge between both faces.
double Solid::lengthBeyond(const Edge& edge, const Vector3d& end, const Vector3d& out) const {
  constexpr double kFirst = 1e-6;  // [m]
  constexpr int kSamples = 8;
  double longest = 0;
  for (const int f : {edge.before, edge.after}) {
    const Face& face = faces[static_cast<std::size_t>(f)];
    const RigidTransform toSurface = face.surface.X_BS.inverse();
    const auto surrounds = [&](double s) {
      return face.has(toSurface.point(end + s * out), -kTrimTolerance);
    };
    if (!surrounds(kFirst)) continue;
    double length = kFirst;
    for (int k = 1; k <= kSamples && surrounds(k * depthLimit_ / kSamples); ++k)
      length = k * depthLimit_ / kSamples;
    longest = std::max(longest, length);
  }
  return longest;
}

// The cone of normals at samples along it; the factor covers those between them.
void Solid::findNormals(Edge& edge) const {
  constexpr double kBetweenSamples = 1.2, kLeastSpread = 0.02;
  constexpr double kShortArc = 1;  // [rad]
  const Curve& c = edge.curve;
  const double length = c.range[1] - c.range[0];
  const int parts = c.isCircle() && length > kShortArc ? 8 : 2;
  std::array<Vector3d, 18> samples;
  std::size_t count = 0;
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k <= parts; ++k)
    for (const int face : {edge.before, edge.after}) {
      samples[count] = normalOf(face, c.at(c.range[0] + k * length / parts));
      sum += samples[count++];
    }
  const auto normals = std::span(samples).first(count);
  if (!(sum.norm() > 1e-3)) return;
  edge.outward = sum.normalized();
  double spread = 0;
  for (const Vector3d& n : normals)
    spread = std::max(spread, std::atan2(n.cross(edge.outward).norm(), n.dot(edge.outward)));
  edge.spread = std::min(std::numbers::pi, kBetweenSamples * spread + kLeastSpread + std::asin(kFacingSine));
}

// Returns its bounds.
Bounds Solid::finishEdge(Edge& edge) const {
  Bounds bounds = boundsOf(edge.curve);
  findNormals(edge);
  const Curve& c = edge.curve;
  for (std::size_t k = 0; c.isLine() && k < 2; ++k) {
    if ((k == 0 ? edge.from : edge.to) < 0) continue;
    const Vector3d out = k == 0 ? Vector3d(-c.x) : c.x;
    edge.beyond[k] = lengthBeyond(edge, c.at(c.range[k]), out);
    include(bounds, c.at(c.range[k]) + edge.beyond[k] * out);
  }
  return bounds;
}

void Solid::finish(double depthLimit, const std::optional<Vector3d>& anchor) {
  if (featureCount() >= kMaxFeatureCount) throw std::invalid_argument("it has more than 16777215 features");
  depthLimit_ = depthLimit;
  if (anchor) {
    anchor_ = *anchor;
  } else if (!vertices.empty()) {
    anchor_ = vertices.front().p;
  } else if (!edges.empty()) {
    anchor_ = edges.front().curve.at(edges.front().curve.range[0]);
  } else {
    const Surface& surface = faces.front().surface;
    anchor_ = surface.X_BS.point({surface.radius, 0, 0});
  }
  std::vector<FeatureKind> kinds(static_cast<std::size_t>(featureCount()), kOtherFeature);
  std::vector<Bounds> boxes;
  boxes.reserve(static_cast<std::size_t>(featureCount()));
  bounds_ = Bounds{};
  hasCurvedFaces_ = false;
  for (const Face& face : faces) {
    if (face.surface.bulgesNowhere()) kinds[boxes.size()] = kFlatFace;
    boxes.push_back(face.bounds);
    // The features that lie below a half-space's plane are paired with it, too; not at any depth, as boxes in
    // single precision would make its plane thick.
    constexpr double kThickness = 100;  // [m]
    if (std::isinf(face.bounds.low.z()) && std::isfinite(face.bounds.high.z()))
      boxes.back().low.z() = face.bounds.high.z() - kThickness;
    hasCurvedFaces_ = hasCurvedFaces_ || face.surface.kind != SurfaceKind::plane;
    physics::include(bounds_, face.bounds);
  }
  boxes.resize(faces.size() + edges.size());
  constexpr std::size_t kGrain = 1024;
  parallelFor(edges.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t e = first; e < last; ++e) {
      const std::size_t feature = faces.size() + e;
      if (edges[e].curve.isLine()) kinds[feature] = kStraightEdge;
      boxes[feature] = finishEdge(edges[e]);
    }
  });
  for (const Vertex& vertex : vertices) boxes.push_back({vertex.p, vertex.p});
  tree_.build(boxes, kinds);
}

}  // namespace tenon::physics::brep
