// A patch of a free-form surface against a face.
#include <algorithm>
#include <array>
#include <cmath>

#include "physics/collision/brep/contact_query.h"
#include "physics/collision/brep/patch_search.h"

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

// A cylinder, cone or torus around material against a patch: balls that fill it, along its axis or circle,
// where their distance from the patch is least.
class CanalWithPatch {
 public:
  CanalWithPatch(ContactQuery& query, int side, int own, int other)
      : query_(query),
        side_(side),
        own_(own),
        other_(other),
        canal_(query.face(side, own)),
        patch_(query.face(1 - side, other)),
        slope_(canal_.surface.kind == SurfaceKind::cone ? canal_.surface.slope : 0),
        cosine_(1 / std::sqrt(1 + slope_ * slope_)) {
    const RigidTransform X = query.toSurface(side, patch_);
    X_ = {X.R * canal_.surface.X_BS.R, X.point(canal_.surface.X_BS.p)};
  }

  void run() {
    const Bounds& box = patch_.surface.freeform->reachBounds(patch_.surface.patch);
    const Vector3d middle = 0.5 * (box.low + box.high);
    const double half = 0.5 * (box.high - box.low).norm();
    if (distanceValue(canal_.surface, X_.inverse().point(middle)) - half > query_.range()) return;
    addCorners(query_, 1 - side_, other_, own_);
    curve_ = placed(X_, canal_.surface.kind == SurfaceKind::torus ? circleOf(canal_.surface) : axisIn(box));
    const double largest = curve_.isLine() ? std::max(radiusAt(curve_.range[0]), radiusAt(curve_.range[1]))
                                           : canal_.surface.minor;
    forEachMinimumNearPatch(
        curve_, patch_.surface,
        {.range = query_.range(),
         .above = std::max(0.0, largest) + query_.range(),
         .reach = std::max(0.0, largest) + std::max(query_.range(), query_.depthLimit()),
         .lean = std::atan(std::abs(slope_))},
        [&](const CurvePoint& at) {
          const DistanceSlope d = slopeAlong(patch_.surface, at.p, at.first, at.second);
          const double z = (at.p - curve_.p).dot(curve_.x);
          return Slope{d.value - radiusAt(z), d.first - (curve_.isLine() ? cosine_ * slope_ : 0), d.second};
        },
        [&](double t) { addMinimum(t); });
    if (curve_.isLine()) return;
    for (int k = 0; k < kFixedPhases; ++k) add(k * std::numbers::pi / 4, k, false);
  }

 private:
  // Where the balls of the points of a box lie.
  Curve axisIn(const Bounds& box) const {
    Curve axis;
    axis.x = Vector3d::UnitZ();
    axis.y = Vector3d::UnitX();
    double low = HUGE_VAL, high = -HUGE_VAL, rho = 0;
    const RigidTransform back = X_.inverse();
    for (int corner = 0; corner < 8; ++corner) {
      const Vector3d p =
          back.point({(corner & 1 ? box.high : box.low).x(), (corner & 2 ? box.high : box.low).y(),
                      (corner & 4 ? box.high : box.low).z()});
      low = std::min(low, p.z());
      high = std::max(high, p.z());
      rho = std::max(rho, p.head<2>().norm());
    }
    axis.range = {low + std::min(0.0, slope_ * rho), high + std::max(0.0, slope_ * rho)};
    return axis;
  }

  // Of the ball at this parameter of the axis, or of any ball of a torus [m]; not positive beyond a cone's
  // tip.
  double radiusAt(double z) const {
    const Surface& s = canal_.surface;
    return s.kind == SurfaceKind::torus ? s.minor : cosine_ * (s.radius + slope_ * z);
  }

  void addMinimum(double t) const {
    // Numbered by the place on the patch, or on the circle.
    int number = 0;
    if (curve_.isCircle()) {
      number = eighthOf(t);
    } else {
      const FreeformSurface& form = *patch_.surface.freeform;
      const FreeformSurface::Foot foot = form.footOf(curve_.at(t), patch_.surface.patch);
      number = form.cellOf(patch_.surface.patch, foot.uv);
    }
    add(t, kMinimumOrdinal + 2 * number, true);
  }

  void add(double t, int ordinal, bool isMinimum) const {
    const Vector3d center = curve_.at(t);
    const SurfaceDistance d = distanceTo(patch_.surface, center);
    const double radius = radiusAt(t), separation = d.value - radius;
    if (!(radius > 0) || separation > query_.range()) return;
    const double lean = curve_.tangent(t).dot(d.gradient);
    // A fixed ball is part of the torus where it is seen nearly across its circle.
    if (!isMinimum && std::abs(lean) > kFacingSine) return;
    if (!patch_.has(center - d.value * d.gradient)) return;
    const Vector3d p = center - radius * d.gradient, inCanal = X_.inverse().point(p);
    if (curve_.isCircle() ? !canal_.hasBall(inCanal, radius) : !canal_.has(inCanal)) return;
    const Matrix3d hessian = X_.R * curvatureAt(canal_.surface, inCanal) * X_.R.transpose() +
                             curvatureAt(patch_.surface, center - d.value * d.gradient);
    // Surfaces that touch along lines have their contacts at the ends of these, on edges.
    const double least = leastAcross(hessian, d.gradient);
    if (isMinimum ? !(least > kFlatCurvature) : !(least >= -kFlatCurvature)) return;
    const RigidTransform& S = patch_.surface.X_BS;
    if (!query_.isOverlapReal(side_, S.point(p), separation)) return;
    query_.add(side_, own_, other_, ordinal, S.point(p - 0.5 * separation * d.gradient),
               -S.vector(d.gradient), separation);
  }

  ContactQuery& query_;
  int side_, own_, other_;
  const Face &canal_, &patch_;
  double slope_, cosine_;
  RigidTransform X_;  // from the frame of the canal's surface into that of the patch's
  Curve curve_;       // of the centers, in the frame of the patch's surface
};

// A patch against a plane, a sphere, a hollow or another patch: where the distance of its points from the
// surface of the face is least. Newton's method with decreasing distances begins in each cell that has at
// most one minimum by the bounds of both, or is a leaf.
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
    constexpr int kSteps = 40, kHalvings = 6;
    constexpr double kThere = 1e-10;
    constexpr double kRounding = 1e-15;  ///< of distances, by which they change less near the minimum [m]
    const int index = patch_.surface.patch;
    const Vector2d cell = form_.seed(index, 1, 1) - form_.seed(index, 0, 0);
    FreeformPoint at = form_.at(index, uv);
    Vector3d p = X_.point(at.p);
    SurfaceDistance distance = distanceAt(p);
    for (int step = 0; step < kSteps; ++step) {
      const Vector3d n = X_.R.transpose() * distance.gradient;
      const Matrix3d K = X_.R.transpose() * curvatureAt(face_.surface, p) * X_.R;
      const Vector2d g(n.dot(at.u), n.dot(at.v));
      Eigen::Matrix2d I, H;
      I << at.u.squaredNorm(), at.u.dot(at.v), at.u.dot(at.v), at.v.squaredNorm();
      H << at.u.dot(K * at.u) + n.dot(at.uu), at.u.dot(K * at.v) + n.dot(at.uv),
          at.u.dot(K * at.v) + n.dot(at.uv), at.v.dot(K * at.v) + n.dot(at.vv);
      // The curvatures of the distance: where one is not positive, the step goes down all the same.
      const Eigen::Matrix2d W = I.inverse() * H;
      const double mean = 0.5 * W.trace(), root = std::sqrt(std::max(0.0, mean * mean - W.determinant()));
      if (mean - root <= kFlatCurvature) H += (std::abs(mean) + 2 * root + kFlatCurvature) * I;
      // A coordinate that would leave stays at its border.
      std::array<bool, 2> isHeld{};
      for (Eigen::Index c = 0; c < 2; ++c)
        isHeld[static_cast<std::size_t>(c)] = (uv[c] <= low[c] && g[c] > 0) || (uv[c] >= high[c] && g[c] < 0);
      if (isHeld[0] && isHeld[1]) return;
      Vector2d d = -H.inverse() * g;
      if (isHeld[0]) d = {0, -g.y() / H(1, 1)};
      if (isHeld[1]) d = {-g.x() / H(0, 0), 0};
      d /= std::max(1.0, d.cwiseQuotient(cell).cwiseAbs().maxCoeff());
      const bool isThere = d.cwiseQuotient(cell).cwiseAbs().maxCoeff() <= kThere;
      const Vector2d from = uv;
      for (int halving = 0; halving <= kHalvings; ++halving, d *= 0.5) {
        uv = (from + d).cwiseMax(low).cwiseMin(high);
        at = form_.at(index, uv);
        p = X_.point(at.p);
        const SurfaceDistance next = distanceAt(p);
        const bool isLower = next.value < distance.value + kRounding;
        if (!isLower && !isThere && halving < kHalvings) continue;
        distance = next;
        break;
      }
      if (isThere && (isHeld[0] || isHeld[1])) return;  // beyond the patch
      if (isThere) return add(uv);
    }
  }

  void add(const Vector2d& uv) {
    const FreeformPoint at = form_.at(patch_.surface.patch, uv);
    const Vector3d p = X_.point(at.p);
    const SurfaceDistance d = distanceTo(face_.surface, p);
    if (d.value > query_.range() || !patch_.has(at.p) || !face_.has(p)) return;
    const Vector3d outward = X_.R * (patch_.surface.side * at.normal());
    if (!(outward.dot(d.gradient) < 0)) return;
    const Matrix3d hessian =
        X_.R * curvatureAt(patch_.surface, at.p) * X_.R.transpose() + curvatureAt(face_.surface, p);
    // Surfaces that touch along lines have their contacts at the ends of these, on edges.
    if (!(leastAcross(hessian, d.gradient) > kFlatCurvature)) return;
    const RigidTransform& S = face_.surface.X_BS;
    if (!query_.isOverlapReal(side_, S.point(p), d.value)) return;
    query_.add(side_, own_, other_, kMinimumOrdinal + 2 * form_.cellOf(patch_.surface.patch, uv),
               S.point(p - 0.5 * d.value * d.gradient), -S.vector(d.gradient), d.value);
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
  const Surface& surface = query.face(1 - side, other).surface;
  using enum SurfaceKind;
  const bool isCanal = surface.kind == cylinder || surface.kind == cone || surface.kind == torus;
  if (isCanal && surface.side > 0)
    CanalWithPatch(query, 1 - side, other, own).run();
  else
    PatchWithFace(query, side, own, other).run();
}

}  // namespace tenon::physics::brep
