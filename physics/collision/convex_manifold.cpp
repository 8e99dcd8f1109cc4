// One section per kind of feature pair. Everywhere s is the side whose frame is used; the contact's normal is
// that of side s and points to the other side.
#include "physics/collision/convex_manifold.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics {
namespace {

constexpr int kPhases = 8;  // fixed points on a rim
constexpr int kDeepestPhase = kPhases;
constexpr int kRimIds = 16;  // number of ids per rim

Vector3d endOf(const ConvexPart& convexPart, int end) {
  return convexPart.center + (end ? convexPart.halfLength : -convexPart.halfLength) * convexPart.axis;
}

// True where p (the convex part's frame) is inside the convex part or within the tolerance of it.
bool contains(const ConvexPart& convexPart, const Vector3d& p) {
  switch (convexPart.kind) {
    case ConvexPartKind::polytope:
      return std::all_of(
          convexPart.polytope.faces.begin(), convexPart.polytope.faces.end(),
          [&](const auto& face) { return face.normal.dot(p) - face.offset <= kBorderTolerance; });
    case ConvexPartKind::cylinderOrCone: {
      const Vector3d r = p - convexPart.center;
      const double z = r.dot(convexPart.axis);
      if (std::abs(z) > convexPart.halfLength + kBorderTolerance) return false;
      const double share = 0.5 + 0.5 * z / convexPart.halfLength;
      const double radius = convexPart.radius[0] + share * (convexPart.radius[1] - convexPart.radius[0]);
      return (r - z * convexPart.axis).norm() <= radius + kBorderTolerance;
    }
    case ConvexPartKind::sphereSwept: {
      const Vector3d r = p - convexPart.center;
      const double z = std::clamp(r.dot(convexPart.axis), -convexPart.halfLength, convexPart.halfLength);
      return (r - z * convexPart.axis).norm() <= convexPart.radius[0] + kBorderTolerance;
    }
    case ConvexPartKind::halfSpace:
      return true;
  }
  return false;
}

}  // namespace

// A planar face: a polygon, a disc, or a whole plane.
struct ConvexManifold::FaceView {
  int index = 0;
  Vector3d normal = Vector3d::Zero();
  double offset = 0;
  const Polytope* polytope = nullptr;
  const Polytope::Face* polygon = nullptr;
  Vector3d center = Vector3d::Zero();
  double radius = -1;  // of a disc
  bool internal = false;

  bool has(const Vector3d& p) const {
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

  // Clips the segment p + t d, t in [0, 1], to the face. atSeam[k]: end k is where the face continues in the
  // adjacent convex part.
  bool clip(const Vector3d& p, const Vector3d& d, double (&t)[2], bool (&atSeam)[2]) const {
    if (polygon) return clipToPolygon(p, d, t, atSeam);
    if (radius < 0) return true;
    const Vector3d r = p - center;
    const Vector3d w = r - r.dot(normal) * normal, dw = d - d.dot(normal) * normal;
    const double a = dw.squaredNorm(), b = w.dot(dw), c = w.squaredNorm() - radius * radius;
    if (a <= 0) return c <= 0;
    const double discriminant = b * b - a * c;
    if (discriminant <= 0) return false;
    const double root = std::sqrt(discriminant);
    t[0] = std::max(t[0], (-b - root) / a);
    t[1] = std::min(t[1], (-b + root) / a);
    return t[0] < t[1];
  }

  bool clipToPolygon(const Vector3d& p, const Vector3d& d, double (&t)[2], bool (&atSeam)[2]) const {
    for (int k = 0; k < polygon->borderCount; ++k) {
      const auto& border = polytope->borders[polygon->firstBorder + k];
      const double height = border.outward.dot(p) - border.offset;
      const double rise = border.outward.dot(d);
      // A segment along the border does not cross it, whatever the rounding.
      if (height <= kBorderTolerance && height + rise <= kBorderTolerance) continue;
      if (rise == 0) return false;
      const double at = -height / rise;
      const int end = rise > 0 ? 1 : 0;
      if (end == 1 ? at < t[1] : at > t[0]) {
        t[end] = at;
        atSeam[end] = border.isCoplanarSeam;
      }
    }
    return t[0] < t[1];
  }
};

ConvexManifold::ConvexManifold(const QuerySide& i, const QuerySide& j, BodyId bodyI, BodyId bodyJ,
                               double range, ContactSet& contacts)
    : sides_{i, j}, bodyI_(bodyI), bodyJ_(bodyJ), range_(range), contacts_(contacts) {
  shallow_ = std::max(kShallowOverlap, 0.25 * std::min(convexPart(0).thickness, convexPart(1).thickness));
}

bool ConvexManifold::addFeatures() {
  if (!measureFaces()) return false;
  for (int s : {0, 1}) {
    addEdges(s);
    addCoreAgainstSide(s);
    addRimsAgainstSide(s);
  }
  addCrossingAxes();
  addCores();
  if (!measureExitDirections()) return false;
  chooseFacing();
  touchAlongEdge_ = touchAlongEdge();
  for (int s : {0, 1}) addFaces(s);
  return true;
}

double ConvexManifold::separationAlong(int s, const Vector3d& n) const {
  const RigidTransform& X = sides_[s].X_SO;
  return n.dot(X.p) - supportValue(convexPart(1 - s), -(X.R.transpose() * n)) -
         supportValue(convexPart(s), n);
}

// `n`: in the frame of s, to the other side. The same from side 0 to side 1, in the frame of side 0.
Vector3d ConvexManifold::towardsOther(int s, const Vector3d& n) const {
  return s == 0 ? n : Vector3d(-(sides_[0].X_SO.R * n));
}

// --- faces: separating axes and contact faces -----------------------------------------------------------

ConvexManifold::FaceView ConvexManifold::faceOf(const ConvexPart& owner, int k) const {
  FaceView view;
  view.index = k;
  if (owner.kind == ConvexPartKind::polytope) {
    const Polytope::Face& face = owner.polytope.faces[k];
    view.normal = face.normal;
    view.offset = face.offset;
    view.polytope = &owner.polytope;
    view.polygon = &face;
    view.internal = face.internal;
    return view;
  }
  view.normal = owner.kind == ConvexPartKind::cylinderOrCone && k == 0 ? Vector3d(-owner.axis) : owner.axis;
  view.center = owner.kind == ConvexPartKind::cylinderOrCone ? endOf(owner, k) : owner.center;
  view.offset = view.normal.dot(view.center);
  if (owner.kind == ConvexPartKind::cylinderOrCone) view.radius = owner.radius[k];
  return view;
}

namespace {
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
}  // namespace

double ConvexManifold::faceSeparation(int s, const FaceView& face) const {
  const RigidTransform& X = sides_[s].X_SO;
  return face.normal.dot(X.p) - supportValue(convexPart(1 - s), -(X.R.transpose() * face.normal)) -
         face.offset;
}

// Evaluates the face normals of both parts as separating axes. False if the separation exceeds the range.
bool ConvexManifold::measureFaces() {
  for (int s : {0, 1}) {
    if (convexPart(0).polytope.isBox && convexPart(1).polytope.isBox) {
      if (!measureBoxFaces(s)) return false;
      continue;
    }
    for (int k = 0; k < faceCount(convexPart(s)); ++k) {
      const FaceView face = faceOf(convexPart(s), k);
      if (!recordFaceSeparation(s, k, face.normal, face.internal, faceSeparation(s, face))) return false;
    }
  }
  return true;
}

// By symmetry a box extends equally along a normal and against it. Opposite faces are adjacent in a box's
// list.
bool ConvexManifold::measureBoxFaces(int s) {
  const Polytope &own = convexPart(s).polytope, &other = convexPart(1 - s).polytope;
  const RigidTransform& X = sides_[s].X_SO;
  const Vector3d middle = X.point(other.boxCenter);
  for (int k = 0; k < 6; k += 2) {
    const Vector3d n = X.R.transpose() * own.faces[k].normal;
    double extent = 0;
    for (const Vector3d& half : other.halfEdges) extent += std::abs(n.dot(half));
    for (int face : {k, k + 1}) {
      const auto& [normal, offset, firstBorder, borderCount, internal] = own.faces[face];
      if (!recordFaceSeparation(s, face, normal, internal, normal.dot(middle) - extent - offset))
        return false;
    }
  }
  return true;
}

// False if the separation exceeds the range.
bool ConvexManifold::recordFaceSeparation(int s, int face, const Vector3d& normal, bool internal,
                                          double apart) {
  if (apart > range_) return false;
  if (face < kCachedFaces) faceSeparation_[s][face] = apart;
  if (internal || apart <= faceSeparationMax_) return true;
  faceSeparationMax_ = apart;
  faceNormalMax_ = towardsOther(s, normal);
  return true;
}

// The free space at such an edge is a union of two half-spaces: the parts may slide past either face, so
// neither face constrains them, and the selected face would change from one iteration to the next.
bool ConvexManifold::touchAlongEdge() const {
  if (convexPart(0).kind != ConvexPartKind::polytope || convexPart(1).kind != ConvexPartKind::polytope)
    return false;
  if (std::abs(faceSeparationMax_) > kEdgeContactTolerance) return false;
  Vector3d first = Vector3d::Zero();
  for (int s : {0, 1}) {
    for (int k = 0; k < faceCount(convexPart(s)); ++k) {
      const FaceView face = faceOf(convexPart(s), k);
      if (face.internal || std::abs(separationByFace(s, k)) > kEdgeContactTolerance ||
          !facesFlat(s, face.normal))
        continue;
      const Vector3d n = towardsOther(s, face.normal);
      if (first.isZero(0)) first = n;
      if (first.cross(n).norm() > kFacingSine) return true;
    }
  }
  return false;
}

// True where the other polytope has a face that lies along the one with this normal.
bool ConvexManifold::facesFlat(int s, const Vector3d& normal) const {
  const Vector3d n = sides_[s].X_SO.R.transpose() * normal;
  const auto& faces = convexPart(1 - s).polytope.faces;
  return std::any_of(faces.begin(), faces.end(), [&n](const Polytope::Face& face) {
    return face.normal.dot(n) < 0 && face.normal.cross(n).norm() <= kFlushTilt;
  });
}

// The separation by a face, after measureFaces().
double ConvexManifold::separationByFace(int s, int face) const {
  return face < kCachedFaces ? faceSeparation_[s][face] : faceSeparation(s, faceOf(convexPart(s), face));
}

void ConvexManifold::addFaces(int s) {
  const bool endless = convexPart(s).kind == ConvexPartKind::halfSpace;
  for (int k = 0; k < faceCount(convexPart(s)); ++k) {
    const double apart = separationByFace(s, k);
    if (!endless && apart < -shallow_) continue;
    const FaceView face = faceOf(convexPart(s), k);
    if (face.internal || face.radius == 0) continue;
    // A face much deeper than the minimum penetration is no contact face: the point may touch another face.
    const bool isExitFace = towardsOther(s, face.normal).dot(facing_) >= kFacingCosine &&
                            apart >= 4 * std::min(facingWidth_, 0.0) - kSamePoint;
    addFace(s, face, endless || isExitFace);
  }
}

void ConvexManifold::addFace(int s, const FaceView& face, bool overlapAllowed) {
  switch (convexPart(1 - s).kind) {
    case ConvexPartKind::polytope:
      return addPolytopeAgainst(s, face, overlapAllowed);
    case ConvexPartKind::cylinderOrCone:
      return addRoundAgainst(s, face, overlapAllowed);
    case ConvexPartKind::sphereSwept:
      return addSweptAgainst(s, face);
    case ConvexPartKind::halfSpace:
      return;
  }
}

// --- points and edges against a face -------------------------------------------------------------------

// True if p, below the face, is much closer to another face and about the deepest point there, so that it may
// touch that face or an edge. Faces along which the parts overlap much deeper do not count: the sides of
// aligned blocks are close to all their corners.
bool ConvexManifold::surfacesElsewhere(int s, const FaceView& face, const Vector3d& p) const {
  const double separation = face.normal.dot(p) - face.offset;
  const auto& faces = convexPart(s).polytope.faces;
  for (int k = 0; k < static_cast<int>(faces.size()); ++k) {
    const double height = faces[k].normal.dot(p) - faces[k].offset;
    if (faces[k].internal || separation >= 4 * height - kSamePoint) continue;
    if (separationByFace(s, k) >= 4 * height - kSamePoint) return true;
  }
  return false;
}

// `p`: a point of the other convex part's surface, in the frame of s. False where it is not above the face.
bool ConvexManifold::addPoint(int s, const FaceView& face, const Vector3d& p, bool overlapAllowed,
                              const FeatureId& id, bool emit) {
  const double separation = face.normal.dot(p) - face.offset;
  if (!face.has(p)) return false;
  if (separation < 0 && !(overlapAllowed && contains(convexPart(s), p))) return false;
  addCandidate(s, p - separation * face.normal, face.normal, separation, id, emit);
  return true;
}

// The ends of the segment from p to q where it leaves the face's borders; its own ends are points.
bool ConvexManifold::addClipped(int s, const FaceView& face, const Vector3d& p, const Vector3d& q,
                                bool overlapAllowed, int edge, bool emit) {
  double t[2] = {0, 1};
  bool atSeam[2] = {false, false};
  const Vector3d d = q - p;
  if (!face.clip(p, d, t, atSeam)) return false;
  bool added = false;
  for (int end : {0, 1}) {
    if (end == 0 ? t[0] <= 0 : t[1] >= 1) continue;
    const FeatureId id{onSide(kEdgeOnFace, s), face.index, 2 * edge + end};
    added |= addPoint(s, face, p + t[end] * d, overlapAllowed, id, emit && !atSeam[end]);
  }
  return added;
}

// The reference is valid until the next call.
const Vector3d& ConvexManifold::otherVertex(int s, int v) {
  const std::vector<Vector3d>& vertices = convexPart(1 - s).polytope.vertices;
  const RigidTransform& X = sides_[s].X_SO;
  if (vertices.size() > kCachedCorners) return corner_ = X.point(vertices[v]);
  if (!hasCorners_[s]) {
    for (std::size_t k = 0; k < vertices.size(); ++k) corners_[s][k] = X.point(vertices[k]);
    hasCorners_[s] = true;
  }
  return corners_[s][v];
}

void ConvexManifold::addPolytopeAgainst(int s, const FaceView& face, bool overlapAllowed) {
  const Polytope& other = convexPart(1 - s).polytope;
  const RigidTransform& X = sides_[s].X_SO;
  const Vector3d n = X.R.transpose() * face.normal;  // in the other's frame
  const FeatureKind kind = onSide(kVertexOnFace, s);
  const auto addVertex = [&](int v) {
    const Vector3d p = otherVertex(s, v);
    return addPoint(s, face, p, overlapAllowed && !surfacesElsewhere(s, face, p), {kind, face.index, v},
                    other.isCorner[v]);
  };
  const auto addEdge = [&](int e) {
    const Polytope::Edge& edge = other.edges[e];
    const Vector3d a = otherVertex(s, edge.a);
    return addClipped(s, face, a, otherVertex(s, edge.b), overlapAllowed, e, edge.onSurface);
  };
  bool faced = false;
  for (const Polytope::Face& facing : other.faces) {
    if (facing.internal || facing.normal.dot(n) > -kFacingCosine) continue;
    faced = true;
    bool above = false;
    for (int k = 0; k < facing.borderCount; ++k) {
      above |= addVertex(other.borders[facing.firstBorder + k].vertex);
      above |= addEdge(other.borders[facing.firstBorder + k].edge);
    }
    flush_ = flush_ || (above && facing.normal.cross(n).norm() <= kFlushTilt);
  }
  if (faced) return;
  // No face faces this one: the nearest vertex, and edges from it that lie nearly along the face.
  int nearest = 0;
  for (int v = 1; v < static_cast<int>(other.vertices.size()); ++v) {
    if (n.dot(other.vertices[v]) < n.dot(other.vertices[nearest])) nearest = v;
  }
  addVertex(nearest);
  for (int e = 0; e < static_cast<int>(other.edges.size()); ++e) {
    const Polytope::Edge& edge = other.edges[e];
    if (edge.a != nearest && edge.b != nearest) continue;
    const Vector3d d = other.vertices[edge.b] - other.vertices[edge.a];
    if (std::abs(d.dot(n)) > kFacingSine * d.norm()) continue;
    addVertex(edge.a == nearest ? edge.b : edge.a);
    addEdge(e);
  }
}

// A cylinder or cone against a face: the rim points and the generator line nearest to it.
void ConvexManifold::addRoundAgainst(int s, const FaceView& face, bool overlapAllowed) {
  const ConvexPart& other = convexPart(1 - s);
  const RigidTransform& X = sides_[s].X_SO;
  const Vector3d n = X.R.transpose() * face.normal;
  const double along = n.dot(other.axis);
  const Vector3d radialDirection = n - along * other.axis;
  const double tilt = radialDirection.norm();
  const Vector3d towards = tilt > 1e-12 ? Vector3d(-radialDirection / tilt) : Vector3d::Zero();
  const Vector3d deepest[2] = {endOf(other, 0) + other.radius[0] * towards,
                               endOf(other, 1) + other.radius[1] * towards};
  const Vector3d line = deepest[1] - deepest[0];
  const bool lies = tilt > 1e-12 && std::abs(line.dot(n)) <= kFacingSine * line.norm();
  const int near = n.dot(deepest[0]) <= n.dot(deepest[1]) ? 0 : 1;
  for (int rim : {0, 1}) {
    const bool capFaces = (rim ? along : -along) <= -kFacingCosine;
    if (capFaces && addRim(s, face, rim, overlapAllowed) && tilt <= kFlushTilt) flush_ = true;
    // On a level cap the deepest phase is no deeper than the fixed ones, and would jump.
    const bool isFlat = capFaces && tilt * other.radius[rim] <= kLevelRimTolerance;
    if ((lies || rim == near) && tilt > 1e-12 && !isFlat) {
      addPoint(s, face, X.point(deepest[rim]), overlapAllowed,
               {onSide(kVertexOnFace, s), face.index, rim * kRimIds + kDeepestPhase}, true);
    }
  }
  if (lies) addClipped(s, face, X.point(deepest[0]), X.point(deepest[1]), overlapAllowed, 0, true);
}

// Fixed phases on a rim whose cap faces the face.
bool ConvexManifold::addRim(int s, const FaceView& face, int rim, bool overlapAllowed) {
  const ConvexPart& other = convexPart(1 - s);
  const RigidTransform& X = sides_[s].X_SO;
  const Vector3d u = other.radialDirection, v = other.axis.cross(other.radialDirection);
  const int count = other.radius[rim] > 0 ? kPhases : 1;
  bool above = false;
  for (int phase = 0; phase < count; ++phase) {
    const double angle = 2 * std::numbers::pi * phase / kPhases;
    const Vector3d p = endOf(other, rim) + other.radius[rim] * (std::cos(angle) * u + std::sin(angle) * v);
    above |= addPoint(s, face, X.point(p), overlapAllowed,
                      {onSide(kVertexOnFace, s), face.index, rim * kRimIds + phase}, true);
  }
  if (face.radius > 0 && overlapAllowed) addRimCrossings(s, face, rim);
  return above;
}

// Where the rim crosses the border of a disc that is flush with its cap: the corners of their common area.
void ConvexManifold::addRimCrossings(int s, const FaceView& face, int rim) {
  const ConvexPart& other = convexPart(1 - s);
  const RigidTransform& X = sides_[s].X_SO;
  const Vector3d axis = X.R * other.axis;
  if (axis.cross(face.normal).norm() > kFlushTilt) return;
  const Vector3d center = X.point(endOf(other, rim));
  const Vector3d between = face.center - center;
  const Vector3d inPlane = between - between.dot(axis) * axis;
  const double d = inPlane.norm(), r = other.radius[rim];
  if (d < kSamePoint || d >= r + face.radius || d <= std::abs(r - face.radius)) return;
  const double foot = (d * d + r * r - face.radius * face.radius) / (2 * d);
  const double half = std::sqrt(std::max(0.0, r * r - foot * foot));
  const Vector3d u = inPlane / d, v = axis.cross(u);
  for (int end : {0, 1}) {
    const Vector3d p = center + foot * u + (end ? half : -half) * v;
    const double separation = face.normal.dot(p) - face.offset;
    if (separation < -shallow_) continue;
    addCandidate(s, p - separation * face.normal, face.normal, separation,
                 {onSide(kEdgeOnFace, s), face.index, 2 * (1 + rim) + end}, true);
  }
}

// A sphere or capsule: the ends of its core above the face give exact distances at any depth of its surface.
void ConvexManifold::addSweptAgainst(int s, const FaceView& face) {
  const ConvexPart& other = convexPart(1 - s);
  const RigidTransform& X = sides_[s].X_SO;
  const bool endless = convexPart(s).kind == ConvexPartKind::halfSpace;
  const double r = other.radius[0];
  const Vector3d p = X.point(endOf(other, 0)), q = X.point(endOf(other, 1));
  const auto add = [&](const Vector3d& core, const FeatureId& id, bool emit) {
    const double height = face.normal.dot(core) - face.offset;
    if ((height < 0 && !endless) || !face.has(core)) return;
    addCandidate(s, core - height * face.normal, face.normal, height - r, id, emit);
  };
  const FeatureKind kind = onSide(kVertexOnFace, s);
  const bool isSphere = other.halfLength == 0;
  const double rise = face.normal.dot(q - p);
  const bool lies = !isSphere && std::abs(rise) <= kFacingSine * 2 * other.halfLength;
  if (lies || rise >= 0) add(p, {kind, face.index, 0}, true);
  if (!isSphere && (lies || rise < 0)) add(q, {kind, face.index, 1}, true);
  double t[2] = {0, 1};
  bool atSeam[2] = {false, false};
  if (isSphere || !face.clip(p, q - p, t, atSeam)) return;
  for (int end : {0, 1}) {
    if (end == 0 ? t[0] <= 0 : t[1] >= 1) continue;
    // A slanting core touches the face only with its lower end.
    const bool lower = end == 0 ? rise >= 0 : rise < 0;
    if (!lies && !lower) continue;
    add(p + t[end] * (q - p), {onSide(kEdgeOnFace, s), face.index, end}, !atSeam[end]);
  }
}

// --- edges and cores against a curved side -------------------------------------------------------------

ConicalSide ConvexManifold::sideIn(int s) const {
  const ConvexPart& other = convexPart(1 - s);
  const RigidTransform& X = sides_[s].X_SO;
  ConicalSide side{X.point(other.center), X.vector(other.axis), other.halfLength, 0, 0};
  side.midRadius = 0.5 * (other.radius[0] + other.radius[1]);
  if (other.kind == ConvexPartKind::cylinderOrCone)
    side.slope = (other.radius[1] - other.radius[0]) / (2 * other.halfLength);
  return side;
}

void ConvexManifold::addEdges(int s) {
  const ConvexPartKind other = convexPart(1 - s).kind;
  if (convexPart(s).kind != ConvexPartKind::polytope) return;
  if (other != ConvexPartKind::cylinderOrCone && other != ConvexPartKind::sphereSwept) return;
  const ConicalSide side = sideIn(s);
  for (int e = 0; e < static_cast<int>(convexPart(s).polytope.edges.size()); ++e) {
    if (!convexPart(s).polytope.edges[e].onSurface) continue;
    if (side.halfLength > 0) addEdgeAgainstSide(s, e, side, 0);
    if (other != ConvexPartKind::sphereSwept) continue;
    addEdgeAgainstEnd(s, e, 0);
    if (side.halfLength > 0) addEdgeAgainstEnd(s, e, 1);
  }
}

void ConvexManifold::addEdgeAgainstSide(int s, int edge, const ConicalSide& side, double grown) {
  const Polytope& polytope = convexPart(s).polytope;
  const Vector3d p = polytope.vertices[polytope.edges[edge].a];
  const Vector3d d = polytope.vertices[polytope.edges[edge].b] - p;
  double t0 = 0, t1 = 1;
  if (!clipToSpan(side, p, d, t0, t1)) return;
  const auto add = [&](double t, int slot, double slack) {
    const Vector3d at = polytope.pointOn(edge, t);
    const ConicalSideDistance distance = distanceToSide(side, at);
    if (!distance.valid || std::abs(distance.height) > side.halfLength + kBorderTolerance) return;
    addEdgePoint(s, edge, t, at, -distance.normal, distance.separation - grown, slot, slack);
  };
  const double nearest = closestToSide(side, p, d);
  if (!std::isnan(nearest)) add(std::clamp(nearest, t0, t1), 0, kBorderTolerance);
  if (std::abs(d.dot(side.axis)) < kFacingCosine * d.norm()) return;
  add(t0, 1, kFacingSine);
  add(t1, 2, kFacingSine);
}

// An edge against the sphere at one end of a sphere's or capsule's core.
void ConvexManifold::addEdgeAgainstEnd(int s, int edge, int end) {
  const ConvexPart& other = convexPart(1 - s);
  const Polytope& polytope = convexPart(s).polytope;
  const Vector3d p = polytope.vertices[polytope.edges[edge].a];
  const Vector3d d = polytope.vertices[polytope.edges[edge].b] - p;
  const Vector3d ball = sides_[s].X_SO.point(endOf(other, end));
  const double t = std::clamp((ball - p).dot(d) / d.squaredNorm(), 0.0, 1.0);
  const Vector3d at = polytope.pointOn(edge, t);
  const Vector3d n = ball - at;
  const double distance = n.norm();
  // Between the ends the side is nearer than the sphere.
  const Vector3d outward = (end ? 1.0 : -1.0) * (sides_[s].X_SO.R * other.axis);
  const bool beyond = other.halfLength == 0 || outward.dot(at - ball) >= 0;
  if (distance < kBorderTolerance || !beyond) return;
  addEdgePoint(s, edge, t, at, n / distance, distance - other.radius[0], 3 + end, kBorderTolerance);
}

// True if `n` at the edge's point lies between the normals of its faces, with tolerance `slack`.
bool ConvexManifold::edgeFaces(int s, int edge, double t, const Vector3d& p, const Vector3d& n,
                               double slack) const {
  const Polytope::Edge& e = convexPart(s).polytope.edges[edge];
  if (n.dot(e.outward[0]) < -slack || n.dot(e.outward[1]) < -slack) return false;
  if (t > 0 && t < 1) return true;
  if (!convexPart(s).neighbors.empty()) return isSurfaceNormal(*sides_[s].convexParts, sides_[s].index, p, n);
  return slack >= kFacingSine || supportValue(convexPart(s), n) - n.dot(p) <= kBorderTolerance;
}

void ConvexManifold::addEdgePoint(int s, int edge, double t, const Vector3d& p, const Vector3d& n,
                                  double separation, int slot, double slack) {
  if (separation > range_ || !edgeFaces(s, edge, t, p, n, slack)) return;
  const bool isSwept =
      convexPart(1 - s).kind == ConvexPartKind::sphereSwept;  // then the core is outside: exact
  if (separation < 0 && !isSwept && (separation < -shallow_ || !isClosestCandidate(s, n))) return;
  // An end is shared with other edges: use the vertex as the id.
  const Polytope::Edge& e = convexPart(s).polytope.edges[edge];
  const bool atEnd = t <= 0 || t >= 1;
  const FeatureKind kind = onSide(atEnd ? kVertexOnSide : kEdgeOnSide, s);
  addCandidate(s, p, n, separation, {kind, atEnd ? (t <= 0 ? e.a : e.b) : edge, slot}, true);
}

// True if the separation along `n` is at least that of any face: the direction of minimum penetration.
bool ConvexManifold::isClosestCandidate(int s, const Vector3d& n) const {
  return separationAlong(s, n) >= faceSeparationMax_ - kSamePoint;
}

// The core of a sphere or capsule (side s) against the curved side of a cylinder or cone.
void ConvexManifold::addCoreAgainstSide(int s) {
  if (convexPart(s).kind != ConvexPartKind::sphereSwept ||
      convexPart(1 - s).kind != ConvexPartKind::cylinderOrCone)
    return;
  const ConvexPart& own = convexPart(s);
  const ConicalSide side = sideIn(s);
  const Vector3d p = endOf(own, 0), d = endOf(own, 1) - p;
  double t0 = 0, t1 = 1;
  if (!clipToSpan(side, p, d, t0, t1)) return;
  const auto add = [&](double t, int slot) {
    const ConicalSideDistance distance = distanceToSide(side, p + t * d);
    if (!distance.valid || distance.separation < 0) return;  // the core is inside: left to the search
    if (std::abs(distance.height) > side.halfLength + kBorderTolerance) return;
    const Vector3d n = -distance.normal;
    addCandidate(s, p + t * d + own.radius[0] * n, n, distance.separation - own.radius[0],
                 {onSide(kCoreOnSide, s), slot, 0}, true);
  };
  if (own.halfLength == 0) return add(0, 0);
  const double nearest = closestToSide(side, p, d);
  if (!std::isnan(nearest)) add(std::clamp(nearest, t0, t1), 0);
  if (std::abs(d.dot(side.axis)) < kFacingCosine * d.norm()) return;
  add(t0, 1);
  add(t1, 2);
}

// --- round against round -------------------------------------------------------------------------------

// The rims of the convex part of side s against the curved side of the other.
void ConvexManifold::addRimsAgainstSide(int s) {
  if (convexPart(s).kind != ConvexPartKind::cylinderOrCone ||
      convexPart(1 - s).kind != ConvexPartKind::cylinderOrCone)
    return;
  const ConicalSide side = sideIn(s);
  for (int rim : {0, 1}) {
    const double radius = convexPart(s).radius[rim];
    std::array<Vector3d, 2> points{endOf(convexPart(s), rim), Vector3d::Zero()};
    const int count = radius > 0 ? closestOnCircle(side, points[0], convexPart(s).axis, radius, points) : 1;
    for (int k = 0; k < count; ++k) addRimPoint(s, side, points[k], rim, k);
  }
}

void ConvexManifold::addRimPoint(int s, const ConicalSide& side, const Vector3d& p, int rim, int ordinal) {
  const ConicalSideDistance distance = distanceToSide(side, p);
  if (!distance.valid || std::abs(distance.height) > side.halfLength + kBorderTolerance) return;
  const Vector3d n = -distance.normal;
  // Behind a cone's side may also be beyond its ends.
  const bool between = std::abs((p - side.center).dot(side.axis)) <= side.halfLength + kBorderTolerance;
  if (distance.separation < 0 && (!between || distance.separation < -shallow_ || !isClosestCandidate(s, n)))
    return;
  // The rim must face the side: be nearly the farthest point of its convex part along n.
  const Vector3d far = coreSupport(convexPart(s), n) - p;
  if (far.dot(n) > kFacingSine * far.norm() + kBorderTolerance) return;
  addCandidate(s, p, n, distance.separation, {onSide(kRimOnSide, 1 - s), rim, ordinal}, true);
}

// Two cylinders that cross: the common perpendicular of their axes.
void ConvexManifold::addCrossingAxes() {
  if (convexPart(0).kind != ConvexPartKind::cylinderOrCone ||
      convexPart(1).kind != ConvexPartKind::cylinderOrCone)
    return;
  const ConicalSide b = sideIn(0),
                    a = {convexPart(0).center, convexPart(0).axis, convexPart(0).halfLength,
                         convexPart(0).radius[0], convexPart(0).radius[1] - convexPart(0).radius[0]};
  if (a.slope != 0 || b.slope != 0 || a.axis.cross(b.axis).norm() < 1e-6) return;
  const auto [s, t] = closestOnSegments(a.center - a.halfLength * a.axis, 2 * a.halfLength * a.axis,
                                        b.center - b.halfLength * b.axis, 2 * b.halfLength * b.axis);
  if (s <= 0 || s >= 1 || t <= 0 || t >= 1) return;
  const Vector3d p = a.center + (2 * s - 1) * a.halfLength * a.axis;
  const Vector3d q = b.center + (2 * t - 1) * b.halfLength * b.axis;
  const double distance = (q - p).norm();
  const double separation = distance - a.midRadius - b.midRadius;
  if (distance < kSamePoint) return;
  const Vector3d n = (q - p) / distance;
  if (separation < 0 && (separation < -shallow_ || !isClosestCandidate(0, n))) return;
  addCandidate(0, p + a.midRadius * n, n, separation, {kCrossingAxes, 0, 0}, true);
}

// --- sphere-swept against sphere-swept
// -------------------------------------------------------------------------------

void ConvexManifold::addCores() {
  if (convexPart(0).kind != ConvexPartKind::sphereSwept || convexPart(1).kind != ConvexPartKind::sphereSwept)
    return;
  const RigidTransform& X = sides_[0].X_SO;
  const Vector3d p = endOf(convexPart(0), 0), d = endOf(convexPart(0), 1) - p;
  const Vector3d q = X.point(endOf(convexPart(1), 0)), e = X.point(endOf(convexPart(1), 1)) - q;
  const auto add = [&](const Vector3d& a, const Vector3d& b, int slot) {
    Vector3d n = b - a;
    const double distance = n.norm();
    // Crossing cores: along the common perpendicular.
    if (distance > 1e-15) {
      n /= distance;
    } else {
      n = d.cross(e).norm() > 1e-15 ? d.cross(e).normalized() : convexPart(0).radialDirection;
    }
    addCandidate(0, a + convexPart(0).radius[0] * n, n,
                 distance - convexPart(0).radius[0] - convexPart(1).radius[0], {kCores, slot, 0}, true);
  };
  const auto [s, t] = closestOnSegments(p, d, q, e);
  add(p + s * d, q + t * e, 0);
  if (d.norm() == 0 || e.norm() == 0 || std::abs(d.dot(e)) < kFacingCosine * d.norm() * e.norm()) return;
  for (int end : {0, 1}) {
    const double tOfP = e.dot(p + end * d - q) / e.squaredNorm();
    if (tOfP >= 0 && tOfP <= 1) add(p + end * d, q + tOfP * e, 1 + end);
    const double sOfQ = d.dot(q + end * e - p) / d.squaredNorm();
    if (sOfQ >= 0 && sOfQ <= 1) add(p + sOfQ * d, q + end * e, 3 + end);
  }
}

Contact ConvexManifold::contactAt(int s, const Vector3d& p, const Vector3d& n, double separation,
                                  const FeatureId& id) const {
  const RigidTransform& X = sides_[s].X_WS;
  Contact contact;
  contact.i = bodyI_;
  contact.j = bodyJ_;
  contact.n = X.R * (s == 0 ? n : Vector3d(-n));
  contact.p = X.point(p + 0.5 * separation * n);
  contact.separation = separation;
  contact.feature = id.bits(sides_[0].index, sides_[1].index);
  return contact;
}

// `p`: the point of side s, in its frame; `n` points to the other side.
void ConvexManifold::addCandidate(int s, const Vector3d& p, const Vector3d& n, double separation,
                                  const FeatureId& id, bool emit) {
  if (separation < best_.separation) best_ = {separation, s, n};
  if (emit && !touchAlongEdge_ && separation <= range_)
    contacts_.push_back(contactAt(s, p, n, separation, id));
}

void sortAndMerge(ContactSet& contacts, std::size_t first) {
  const auto begin = contacts.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, contacts.end(), [](const Contact& a, const Contact& b) { return a.feature < b.feature; });
  // Keep the closer of two, so that a larger range removes no contact.
  const auto same = [](const Contact& a, const Contact& b) {
    return std::abs(a.p.x() - b.p.x()) <= kSamePoint && (a.p - b.p).norm() <= kSamePoint &&
           (a.n - b.n).norm() <= kSameNormal;
  };
  std::size_t kept = first;
  for (std::size_t k = first; k < contacts.size(); ++k) {
    std::size_t twin = first;
    while (twin < kept && !same(contacts[twin], contacts[k])) ++twin;
    if (twin == kept) {
      contacts[kept++] = contacts[k];
    } else if (contacts[k].separation < contacts[twin].separation) {
      contacts[twin] = contacts[k];
    }
  }
  contacts.resize(kept);
  std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(),
            [](const Contact& a, const Contact& b) { return a.feature < b.feature; });
}

}  // namespace tenon::physics
