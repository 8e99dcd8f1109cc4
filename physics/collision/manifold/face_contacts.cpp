// One function per kind of part above a face. Everything is in the frame of side s_, whose face it is; the
// contact's normal is the face's, or where a line crosses the face's border, the normal of both lines.
#include "physics/collision/manifold/face_contacts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics {
namespace {

constexpr int kPhases = 8;  // fixed points on a rim
constexpr int kDeepestPhase = kPhases;
constexpr int kRimIds = 16;  // number of ids per rim

}  // namespace

bool FaceContacts::add() {
  const bool endless = pair_.part(s_).kind == ConvexPartKind::halfSpace;
  for (int k = 0; k < faceCount(pair_.part(s_)); ++k) {
    const double apart = axes_.faceSeparation(s_, k);
    if (!endless && apart < -pair_.shallow) continue;
    const PlanarFace face = faceOf(pair_.part(s_), k);
    if (face.internal || face.radius == 0) continue;
    // A face much deeper than the minimum penetration is no contact face: the point may touch another face.
    const bool isExitFace = pair_.towardsOther(s_, face.normal).dot(penetration_.n) >= kFacingCosine &&
                            apart >= 4 * std::min(penetration_.separation, 0.0) - kSamePoint;
    addFace(face, endless || isExitFace);
  }
  return isFlush_;
}

void FaceContacts::addFace(const PlanarFace& face, bool overlapAllowed) {
  switch (pair_.part(1 - s_).kind) {
    case ConvexPartKind::polytope:
      return addPolytope(face, overlapAllowed);
    case ConvexPartKind::cylinderOrCone:
      return addRound(face, overlapAllowed);
    case ConvexPartKind::sphereSwept:
      return addSphereSwept(face);
    case ConvexPartKind::halfSpace:
      return;
  }
}

// True if p, below the face, is much closer to another face and about the deepest point there, so that it may
// touch that face or an edge. Faces along which the parts overlap much deeper do not count: the sides of
// aligned blocks are close to all their corners.
bool FaceContacts::isDeepestElsewhere(const PlanarFace& face, const Vector3d& p) const {
  const double separation = face.normal.dot(p) - face.offset;
  const auto& faces = pair_.part(s_).polytope.faces;
  for (int k = 0; k < static_cast<int>(faces.size()); ++k) {
    const double height = faces[k].normal.dot(p) - faces[k].offset;
    if (faces[k].internal || separation >= 4 * height - kSamePoint) continue;
    if (axes_.faceSeparation(s_, k) >= 4 * height - kSamePoint) return true;
  }
  return false;
}

// `p`: a point of the other convex part's surface, in the frame of s_. False where it is not listed.
bool FaceContacts::addPoint(const PlanarFace& face, const Vector3d& p, bool overlapAllowed,
                            const FeatureId& id, bool isContact) {
  const double separation = face.normal.dot(p) - face.offset;
  if (!isListed(face, p, separation, overlapAllowed)) return false;
  candidates_.add(s_, p - separation * face.normal, face.normal, separation, id, isContact);
  return true;
}

bool FaceContacts::isListed(const PlanarFace& face, const Vector3d& p, double height,
                            bool overlapAllowed) const {
  return face.has(p) && (height >= 0 || (overlapAllowed && contains(pair_.part(s_), p)));
}

// The ends of the segment from p to q where it leaves the face's borders; its own ends are points.
bool FaceContacts::addClipped(const PlanarFace& face, const Vector3d& p, const Vector3d& q,
                              bool overlapAllowed, int edge, bool isContact) {
  std::array<PlanarFace::End, 2> ends{{{0}, {1}}};
  const Vector3d d = q - p;
  if (!face.clip(p, d, ends)) return false;
  bool added = false;
  for (int end : {0, 1}) {
    if (end == 0 ? ends[0].t <= 0 : ends[1].t >= 1) continue;
    const FeatureId id{onSide(kEdgeOnFace, s_), face.index, 2 * edge + end};
    added |= addCrossing(face, p, d, ends[end], overlapAllowed, id, isContact && !ends[end].atSeam);
  }
  return added;
}

// The segment p + t d crosses a border of the face at `end`: there its height above the face changes along
// the normal of both lines as the parts slide. Where the closest points of the lines are on both parts, they
// are the contact.
bool FaceContacts::addCrossing(const PlanarFace& face, const Vector3d& p, const Vector3d& d,
                               const PlanarFace::End& end, bool overlapAllowed, const FeatureId& id,
                               bool isContact) {
  const Vector3d at = p + end.t * d;
  const double across = end.outward.dot(d), up = face.normal.dot(d);
  // Of edges flush with the face, nearly along its border, the normal of both would be rounding.
  if (!isContact || !end.atEdge || std::abs(up) <= kFlushTilt * d.norm())
    return addPoint(face, at, overlapAllowed, id, isContact);
  const double height = face.normal.dot(at) - face.offset, slope = up / across;
  if (!isListed(face, at, height, overlapAllowed)) return false;
  const Vector3d n = (face.normal - slope * end.outward).normalized();
  const double distance = height * n.dot(face.normal);
  const double t = end.t - height * slope / (across + slope * up);
  const Vector3d closest = p + t * d;
  if (t >= 0 && t <= 1 && face.has(closest - distance * n)) {
    candidates_.add(s_, closest - distance * n, n, distance, id);
  } else {  // the lines may be closer than the parts are: the height remains
    candidates_.add(s_, at - height * n, n, height, id);
  }
  return true;
}

// The reference is valid until the next call.
const Vector3d& FaceContacts::otherVertex(int v) {
  const std::vector<Vector3d>& vertices = pair_.part(1 - s_).polytope.vertices;
  const RigidTransform& X = pair_.X_SO(s_);
  if (vertices.size() > kCachedCorners) return corner_ = X.point(vertices[v]);
  if (!hasCorners_) {
    for (std::size_t k = 0; k < vertices.size(); ++k) corners_[k] = X.point(vertices[k]);
    hasCorners_ = true;
  }
  return corners_[v];
}

bool FaceContacts::addVertex(const PlanarFace& face, bool overlapAllowed, int v) {
  const Vector3d p = otherVertex(v);
  return addPoint(face, p, overlapAllowed && !isDeepestElsewhere(face, p),
                  {onSide(kVertexOnFace, s_), face.index, v}, pair_.part(1 - s_).polytope.isCorner[v]);
}

bool FaceContacts::addEdge(const PlanarFace& face, bool overlapAllowed, int e) {
  const Polytope::Edge& edge = pair_.part(1 - s_).polytope.edges[e];
  const Vector3d a = otherVertex(edge.a);
  return addClipped(face, a, otherVertex(edge.b), overlapAllowed, e, edge.onSurface);
}

// The borders of all faces that face this one.
void FaceContacts::addPolytope(const PlanarFace& face, bool overlapAllowed) {
  const Polytope& other = pair_.part(1 - s_).polytope;
  const Vector3d n = pair_.X_SO(s_).R.transpose() * face.normal;  // in the other's frame
  bool faced = false;
  for (const Polytope::Face& facing : other.faces) {
    if (facing.internal || facing.normal.dot(n) > -kFacingCosine) continue;
    faced = true;
    bool above = false;
    for (int k = 0; k < facing.borderCount; ++k) {
      above |= addVertex(face, overlapAllowed, other.borders[facing.firstBorder + k].vertex);
      above |= addEdge(face, overlapAllowed, other.borders[facing.firstBorder + k].edge);
    }
    isFlush_ = isFlush_ || (above && facing.normal.cross(n).norm() <= kFlushTilt);
  }
  if (!faced) addNearestVertex(face, overlapAllowed);
}

// Where no face faces this one: the nearest vertex, and edges from it that lie nearly along the face.
void FaceContacts::addNearestVertex(const PlanarFace& face, bool overlapAllowed) {
  const Polytope& other = pair_.part(1 - s_).polytope;
  const Vector3d n = pair_.X_SO(s_).R.transpose() * face.normal;
  int nearest = 0;
  for (int v = 1; v < static_cast<int>(other.vertices.size()); ++v) {
    if (n.dot(other.vertices[v]) < n.dot(other.vertices[nearest])) nearest = v;
  }
  addVertex(face, overlapAllowed, nearest);
  for (int e = 0; e < static_cast<int>(other.edges.size()); ++e) {
    const Polytope::Edge& edge = other.edges[e];
    if (edge.a != nearest && edge.b != nearest) continue;
    const Vector3d d = other.vertices[edge.b] - other.vertices[edge.a];
    if (std::abs(d.dot(n)) > kFacingSine * d.norm()) continue;
    addVertex(face, overlapAllowed, edge.a == nearest ? edge.b : edge.a);
    addEdge(face, overlapAllowed, e);
  }
}

// A cylinder or cone against a face: the rim points and the generator line nearest to it.
void FaceContacts::addRound(const PlanarFace& face, bool overlapAllowed) {
  const ConvexPart& other = pair_.part(1 - s_);
  const RigidTransform& X = pair_.X_SO(s_);
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
    if (capFaces && addRim(face, rim, overlapAllowed) && tilt <= kFlushTilt) isFlush_ = true;
    // On a level cap the deepest phase is no deeper than the fixed ones, and would jump.
    const bool isFlat = capFaces && tilt * other.radius[rim] <= kLevelRimTolerance;
    if ((lies || rim == near) && tilt > 1e-12 && !isFlat) {
      addPoint(face, X.point(deepest[rim]), overlapAllowed,
               {onSide(kVertexOnFace, s_), face.index, rim * kRimIds + kDeepestPhase});
    }
  }
  if (lies) addClipped(face, X.point(deepest[0]), X.point(deepest[1]), overlapAllowed, 0, true);
}

// Fixed phases on a rim whose cap faces the face.
bool FaceContacts::addRim(const PlanarFace& face, int rim, bool overlapAllowed) {
  const ConvexPart& other = pair_.part(1 - s_);
  const RigidTransform& X = pair_.X_SO(s_);
  const Vector3d u = other.radialDirection, v = other.axis.cross(other.radialDirection);
  const int count = other.radius[rim] > 0 ? kPhases : 1;
  bool above = false;
  for (int phase = 0; phase < count; ++phase) {
    const double angle = 2 * std::numbers::pi * phase / kPhases;
    const Vector3d p = endOf(other, rim) + other.radius[rim] * (std::cos(angle) * u + std::sin(angle) * v);
    above |= addPoint(face, X.point(p), overlapAllowed,
                      {onSide(kVertexOnFace, s_), face.index, rim * kRimIds + phase});
  }
  if (face.radius > 0 && overlapAllowed) addRimCrossings(face, rim);
  return above;
}

// Where the rim crosses the border of a disc that is flush with its cap: the corners of their common area.
void FaceContacts::addRimCrossings(const PlanarFace& face, int rim) {
  const ConvexPart& other = pair_.part(1 - s_);
  const RigidTransform& X = pair_.X_SO(s_);
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
    if (separation < -pair_.shallow) continue;
    candidates_.add(s_, p - separation * face.normal, face.normal, separation,
                    {onSide(kEdgeOnFace, s_), face.index, 2 * (1 + rim) + end});
  }
}

// A sphere or capsule: the ends of its core above the face give exact distances at any depth of its surface.
void FaceContacts::addSphereSwept(const PlanarFace& face) {
  const ConvexPart& other = pair_.part(1 - s_);
  const RigidTransform& X = pair_.X_SO(s_);
  const bool endless = pair_.part(s_).kind == ConvexPartKind::halfSpace;
  const double r = other.radius[0];
  const Vector3d p = X.point(endOf(other, 0)), q = X.point(endOf(other, 1));
  const auto add = [&](const Vector3d& core, const FeatureId& id, bool isContact) {
    const double height = face.normal.dot(core) - face.offset;
    if ((height < 0 && !endless) || !face.has(core)) return;
    candidates_.add(s_, core - height * face.normal, face.normal, height - r, id, isContact);
  };
  const FeatureKind kind = onSide(kVertexOnFace, s_);
  const bool isSphere = other.halfLength == 0;
  const double rise = face.normal.dot(q - p);
  const bool lies = !isSphere && std::abs(rise) <= kFacingSine * 2 * other.halfLength;
  if (lies || rise >= 0) add(p, {kind, face.index, 0}, true);
  if (!isSphere && (lies || rise < 0)) add(q, {kind, face.index, 1}, true);
  std::array<PlanarFace::End, 2> ends{{{0}, {1}}};
  if (isSphere || !face.clip(p, q - p, ends)) return;
  for (int end : {0, 1}) {
    if (end == 0 ? ends[0].t <= 0 : ends[1].t >= 1) continue;
    // A slanting core touches the face only with its lower end.
    const bool lower = end == 0 ? rise >= 0 : rise < 0;
    if (!lies && !lower) continue;
    add(p + ends[end].t * (q - p), {onSide(kEdgeOnFace, s_), face.index, end}, !ends[end].atSeam);
  }
}

}  // namespace tenon::physics
