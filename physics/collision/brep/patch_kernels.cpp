// A patch of a free-form surface against a face.
#include <algorithm>
#include <array>
#include <cmath>

#include "physics/collision/brep/contact_query.h"
#include "physics/collision/brep/face_minima.h"
#include "physics/collision/brep/freeform.h"
#include "physics/collision/brep/patch_cells.h"

namespace tenon::physics::brep {
namespace {

// False if a patch has no normal opposed to the unit direction `outward` at whose end the point p lies.
bool mayFace(const Surface& patch, const Vector3d& p, const Vector3d& outward, double range) {
  const Angle angle = 1.01 * kEdgeConeTolerance;
  return patch.freeform->cells(patch.patch).hasLeaf([&](const PatchCell& cell) {
    return cell.mayHaveNormal(patch.side, -outward, angle) &&
           cell.mayReach(patch.side, cell.axes.transpose() * (p - cell.center), Vector3d::Zero(), range);
  });
}

// The corners of a patch that face the other surface, as flush faces do at their corners: where the patch
// ends smoothly, no edge has such contacts, and minima may be flat.
void addCorners(ContactQuery& query, int side, int own, int other) {
  const Face &patch = query.face(side, own), &face = query.face(1 - side, other);
  const FreeformSurface& form = *patch.surface.freeform;
  const RigidTransform X = query.toSurface(side, face), &S = patch.surface.X_BS;
  constexpr int kLast = FreeformSurface::kSeeds - 1;
  for (int corner = 0; corner < 4; ++corner) {
    const int i = corner & 1 ? kLast : 0, k = corner & 2 ? kLast : 0;
    const Vector3d inPatch = form.seedPoint(patch.surface.patch, i, k), p = X.point(S.point(inPatch));
    const Vector3d outward = patch.surface.side * form.cornerNormal(patch.surface.patch, corner);
    if (face.surface.kind == SurfaceKind::freeform) {
      if (!mayFace(face.surface, p, X.R * (S.R * outward), query.range())) continue;
    } else if (std::abs(distanceValue(face.surface, p)) > std::max(query.range(), query.depthLimit())) {
      continue;
    }
    const SurfaceDistance d = distanceTo(face.surface, p);
    const Vector3d facing = S.R.transpose() * (X.R.transpose() * d.gradient);
    if (!query.isInRange(d.value) || (outward + facing).norm() > kEdgeConeTolerance) continue;
    if (!patch.has(inPatch) || !query.isOnFace(side, other, p, d)) continue;
    const RigidTransform& F = face.surface.X_BS;
    query.add(side, own, other, kFixedPhases + 4 * side + corner, F.point(p - 0.5 * d.value * d.gradient),
              -F.vector(d.gradient), d.value);
  }
}

// A torus around material against a patch: balls at fixed phases of its circle, which flush faces have in
// common.
void addFixedBalls(ContactQuery& query, int side, int patchFace, int torusFace) {
  const Face &patch = query.face(side, patchFace), &torus = query.face(1 - side, torusFace);
  const RigidTransform X = query.toSurface(1 - side, patch), &S = torus.surface.X_BS;
  const Bounds& box = patch.surface.freeform->reachBounds(patch.surface.patch);
  const Vector3d middle = S.inverse().point(X.inverse().point(0.5 * (box.low + box.high)));
  if (distanceValue(torus.surface, middle) - 0.5 * (box.high - box.low).norm() > query.range()) return;
  const Curve circle = placed(X, placed(S, circleOf(torus.surface)));
  const double radius = torus.surface.minor;
  for (int k = 0; k < kFixedPhases; ++k) {
    const double t = k * std::numbers::pi / 4;
    const Vector3d center = circle.at(t);
    const SurfaceDistance d = distanceTo(patch.surface, center);
    const double separation = d.value - radius;
    // The ball is part of the torus where it is seen nearly across its circle.
    if (separation > query.range() || std::abs(circle.tangent(t).dot(d.gradient)) > kFacingSine) continue;
    const Vector3d foot = center - d.value * d.gradient, p = center - radius * d.gradient,
                   inTorus = S.inverse().point(X.inverse().point(p));
    if (!patch.has(foot) || !torus.hasBall(inTorus, radius)) continue;
    const Matrix3d R = X.R * S.R;
    const Matrix3d hessian =
        R * curvatureAt(torus.surface, inTorus) * R.transpose() + curvatureAt(patch.surface, foot);
    if (!(leastAcross(hessian, d.gradient) >= -kFlatCurvature)) continue;
    const RigidTransform& P = patch.surface.X_BS;
    if (!query.isOverlapReal(1 - side, P.point(p), separation)) continue;
    query.add(1 - side, torusFace, patchFace, k, P.point(p - 0.5 * separation * d.gradient),
              -P.vector(d.gradient), separation);
  }
}

// A ball whose center, or a cylinder or cone whose axis, lies below a patch overlaps it, although no normals
// are opposed there any more.
void noteCenter(ContactQuery& query, int side, int own, int other) {
  const Face &patch = query.face(side, own), &face = query.face(1 - side, other);
  const RigidTransform X = query.toSurface(1 - side, patch), &S = face.surface.X_BS;
  const Bounds& box = patch.surface.freeform->reachBounds(patch.surface.patch);
  Vector3d center = Vector3d::Zero();
  if (face.surface.kind == SurfaceKind::cylinder || face.surface.kind == SurfaceKind::cone)
    center.z() = S.inverse().point(X.inverse().point(0.5 * (box.low + box.high))).z();
  else if (face.surface.kind != SurfaceKind::sphere)
    return;
  const Vector3d inSolid = S.point(center), p = X.point(inSolid);
  if (!overlap(Bounds{p, p}, grown(box, query.deepest()))) return;
  if (!(distanceValue(patch.surface, p) < 0) || !patch.has(p)) return;
  const Vector3d inOther = patch.surface.X_BS.point(p);
  if (query.solid(1 - side).contains(inSolid) && query.solid(side).contains(inOther))
    query.noteInside(1 - side, inOther);
}

// A patch against a face: where the distance of its points from the surface of the face is least. Newton's
// method with decreasing distances begins in each cell that has at most one minimum by the bounds of both, or
// is a leaf.
class PatchWithFace {
 public:
  PatchWithFace(ContactQuery& query, int side, int own, int other)
      : query_(query),
        side_(side),
        own_(own),
        other_(other),
        patch_(query.face(side, own)),
        face_(query.face(1 - side, other)),
        form_(*patch_.surface.freeform) {
    const RigidTransform X = query.toSurface(side, face_);
    X_ = {X.R * patch_.surface.X_BS.R, X.point(patch_.surface.X_BS.p)};
  }

  void run() {
    thread_local std::vector<int> near;  // buffer: only its capacity is reused
    near.clear();
    const PatchCells& cells = form_.cells(patch_.surface.patch);
    if (isPatch())
      findNearCells(cells, patch_.surface.side, face_.surface.freeform->cells(face_.surface.patch),
                    face_.surface.side, X_, query_.range(), near);
    else
      findNearCells(cells, patch_.surface.side, face_.surface, X_, query_.range(), near);
    if (near.empty()) return;
    addCorners(query_, side_, own_, other_);
    if (isPatch()) addCorners(query_, 1 - side_, other_, own_);
    constexpr double kAround = 1.5;  // what a search may leave its cell by, relative to it
    for (const int k : near) {
      const PatchCell& cell = cells[k];
      const Vector2d low = cell.uv - kAround * cell.halfUv, high = cell.uv + kAround * cell.halfUv;
      FreeformSurface::forgetFoot();
      foot_.patch = -1;
      search(isPatch() ? towardsPatch(cell.uv).cwiseMax(low).cwiseMin(high) : cell.uv, low, high);
      FreeformSurface::forgetFoot();
    }
  }

 private:
  bool isPatch() const { return face_.surface.kind == SurfaceKind::freeform; }

  // Towards the nearest points of two patches, by projections from one to the other: far from a patch the
  // distance along its normals says nothing.
  Vector2d towardsPatch(Vector2d uv) {
    constexpr int kProjections = 2;
    Vector3d p = form_.at(patch_.surface.patch, uv).p;
    const RigidTransform back = X_.inverse();
    for (int n = 0; n < kProjections; ++n) {
      if (!face_.surface.freeform->footOf(X_.point(p), face_.surface.patch).isBeyond) return uv;
      const Vector3d on = face_.surface.freeform->nearestOf(X_.point(p), face_.surface.patch).at.p;
      const FreeformSurface::Foot foot = form_.nearestOf(back.point(on), patch_.surface.patch);
      p = foot.at.p;
      uv = foot.uv;
    }
    return uv;
  }

  // On a patch the search for the foot begins at the last one.
  SurfaceDistance distanceAt(const Vector3d& p) {
    if (isPatch()) {
      const FreeformSurface& other = *face_.surface.freeform;
      foot_ = foot_.patch < 0 ? other.footOf(p, face_.surface.patch) : other.footNear(p, foot_, footPoint_);
      footPoint_ = p;
    }
    return distanceTo(face_.surface, p);
  }

  // From `uv`, between `low` and `high`.
  void search(Vector2d uv, const Vector2d& low, const Vector2d& high) {
    constexpr int kSteps = 40, kTrials = 20;
    constexpr double kThere = 1e-10;    // step relative to a cell
    constexpr double kNoGain = 1e-20;   // decrease that is left [m]
    constexpr double kLeastGain = 0.1;  // decrease relative to the expected one
    const int index = patch_.surface.patch;
    const Vector2d cell = form_.seed(index, 1, 1) - form_.seed(index, 0, 0);
    FreeformPoint at = form_.at(index, uv);
    Vector3d p = X_.point(at.p);
    SurfaceDistance distance = distanceAt(p);
    const double rounding = 1e-15 + 1e-15 * p.norm();  // of distances, near the minimum [m]
    double damping = 0;  // after Levenberg and Marquardt: a curvature that is added to all [1/m]
    for (int step = 0; step < kSteps; ++step) {
      const Vector3d n = X_.R.transpose() * distance.gradient;
      const Matrix3d K = X_.R.transpose() * curvatureAt(face_.surface, p) * X_.R;
      const Vector2d g(n.dot(at.u), n.dot(at.v));
      Eigen::Matrix2d I, H;
      I << at.u.squaredNorm(), at.u.dot(at.v), at.u.dot(at.v), at.v.squaredNorm();
      H << at.u.dot(K * at.u) + n.dot(at.uu), at.u.dot(K * at.v) + n.dot(at.uv),
          at.u.dot(K * at.v) + n.dot(at.uv), at.v.dot(K * at.v) + n.dot(at.vv);
      // A coordinate that would leave stays at its border.
      std::array<bool, 2> isHeld{};
      for (Eigen::Index c = 0; c < 2; ++c)
        isHeld[static_cast<std::size_t>(c)] = (uv[c] <= low[c] && g[c] > 0) || (uv[c] >= high[c] && g[c] < 0);
      if (isHeld[0] && isHeld[1]) return;
      // The curvatures of the distance: where one is not positive, the step goes down all the same.
      double largest = 0, least = 0;
      if (isHeld[0] || isHeld[1]) {
        const Eigen::Index c = isHeld[0] ? 1 : 0;
        largest = least = H(c, c) / I(c, c);
      } else {
        const Eigen::Matrix2d W = I.inverse() * H;
        const double mean = 0.5 * W.trace(), root = std::sqrt(std::max(0.0, mean * mean - W.determinant()));
        largest = mean + root;
        least = mean - root;
      }
      const double scale = std::max(std::abs(largest), std::abs(least)) + kFlatCurvature;
      Eigen::Matrix2d bent = H;
      if (isHeld[0] || isHeld[1]) {
        if (least <= kFlatCurvature) bent = scale * I;
      } else if (least <= kFlatCurvature) {
        bent = withoutFlat(H, I, kFlatCurvature, scale);
      }
      bool isThere = false, isLower = false;
      for (int trial = 0; !isLower && trial < kTrials; ++trial) {
        const Eigen::Matrix2d damped = bent + damping * I;
        Vector2d d = -damped.inverse() * g;
        if (isHeld[0]) d = {0, -g.y() / damped(1, 1)};
        if (isHeld[1]) d = {-g.x() / damped(0, 0), 0};
        d /= std::max(1.0, d.cwiseQuotient(cell).cwiseAbs().maxCoeff());
        // A damped step is short anywhere.
        isThere =
            damping == 0 && (d.cwiseQuotient(cell).cwiseAbs().maxCoeff() <= kThere || -g.dot(d) <= kNoGain);
        const Vector2d next = (uv + d).cwiseMax(low).cwiseMin(high), moved = next - uv;
        const FreeformPoint there = form_.at(index, next);
        const Vector3d q = X_.point(there.p);
        const SurfaceDistance nextDistance = distanceAt(q);
        // Lower by a part of what is expected, or steps across a valley go on without end.
        const double expected = std::min(0.0, g.dot(moved) + 0.5 * moved.dot(H * moved));
        isLower = isThere || nextDistance.value < distance.value + rounding + kLeastGain * expected;
        if (!isLower) {
          damping = std::max(4 * damping, scale);
          continue;
        }
        uv = next;
        at = there;
        p = q;
        distance = nextDistance;
        if (trial == 0) damping *= 0.1;
        if (damping < 1e-3 * scale) damping = 0;
      }
      if (!isLower || (isThere && (isHeld[0] || isHeld[1]))) return;  // beyond the patch
      if (isThere) return add(uv);
    }
  }

  void add(const Vector2d& uv) {
    const FreeformPoint at = form_.at(patch_.surface.patch, uv);
    const Vector3d p = X_.point(at.p);
    const SurfaceDistance d = distanceTo(face_.surface, p);
    if (d.value > query_.range() || !hasFace(p)) return;
    const Vector3d outward = X_.R * (patch_.surface.side * at.normal());
    if (!(outward.dot(d.gradient) < 0)) return;
    // A ball may stand in a corner, with its foot beyond the border.
    const RigidTransform& S = face_.surface.X_BS;
    if (isBall()) {
      const Vector3d onBall = X_.inverse().point(p - d.value * d.gradient);
      if (!query_.isOnFace(1 - side_, own_, onBall, {d.value, patch_.surface.side * at.normal()})) return;
    } else if (!patch_.has(at.p) || !query_.isOverlapReal(side_, S.point(p), d.value)) {
      return;
    }
    const Matrix3d hessian =
        X_.R * curvatureAt(patch_.surface, at.p) * X_.R.transpose() + curvatureAt(face_.surface, p);
    // Surfaces that touch along lines have their contacts at the ends of these, on edges.
    if (!(leastAcross(hessian, d.gradient) > kFlatCurvature)) return;
    query_.add(side_, own_, other_, kMinimumOrdinal + 2 * form_.cellOf(patch_.surface.patch, uv),
               S.point(p - 0.5 * d.value * d.gradient), -S.vector(d.gradient), d.value);
  }

  bool isBall() const { return face_.surface.kind == SurfaceKind::sphere && face_.surface.side > 0; }
  bool hasFace(const Vector3d& p) const {
    const Surface& s = face_.surface;
    if (isBall()) return face_.hasBall(p, s.radius);
    if (s.side > 0 && s.kind == SurfaceKind::torus) return face_.hasBall(p, s.minor);
    return face_.has(p);
  }

  ContactQuery& query_;
  int side_, own_, other_;
  const Face &patch_, &face_;
  const FreeformSurface& form_;
  RigidTransform X_;            // from the frame of the patch's surface into that of the face's
  FreeformSurface::Foot foot_;  // of footPoint_ on the other patch, the last point of a search
  Vector3d footPoint_ = Vector3d::Zero();
};

}  // namespace

void patchWithFace(ContactQuery& query, int side, int own, int other) {
  PatchWithFace(query, side, own, other).run();
  const Surface& surface = query.face(1 - side, other).surface;
  if (surface.side < 0) return;
  if (surface.kind == SurfaceKind::torus) addFixedBalls(query, side, own, other);
  noteCenter(query, side, own, other);
}

}  // namespace tenon::physics::brep
