// See freeform.h.
#include "physics/collision/brep/freeform.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace tenon::physics::brep {
namespace {

/// |u × v| below this part of |u| |v|, or of the largest on the patch, is a pole or a fold [-].
constexpr double kNoNormal = 1e-6;
/// Halvings of a given patch.
constexpr int kMaxDepth = 12;
/// Sine of the angle at which neighbors may meet [-], and the length beyond its border that still belongs to
/// a patch towards its neighbor [m]: as far as the nearest point moves at such an angle.
constexpr double kSmoothJoint = 1e-4, kJoint = 1e-6;

void requireValid(const BezierPatch& patch) {
  for (const int n : patch.degree)
    if (n < 1 || n > BezierPatch::kMaxDegree) throw std::invalid_argument("degree of a patch");
  const auto count =
      static_cast<std::size_t>(patch.degree[0] + 1) * static_cast<std::size_t>(patch.degree[1] + 1);
  if (patch.points.size() != count) throw std::invalid_argument("number of points of a patch");
  for (const Eigen::Vector4d& q : patch.points)
    if (!q.allFinite() || !(q[3] > 0)) throw std::invalid_argument("point of a patch");
  for (std::size_t k = 0; k < 2; ++k)
    if (!(patch.high[k] > patch.low[k]) || !std::isfinite(patch.high[k] - patch.low[k]))
      throw std::invalid_argument("parameters of a patch");
}

// A crease inside the surface would be an edge.
void requireSmooth(const std::vector<BezierPatch>& patches, bool isPeriodic) {
  std::map<std::pair<double, double>, const BezierPatch*> byCorner;
  for (const BezierPatch& patch : patches) byCorner[{patch.low[0], patch.low[1]}] = &patch;
  for (const BezierPatch& patch : patches)
    for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
      std::pair<double, double> corner(patch.low[0], patch.low[1]);
      (direction == 0 ? corner.first : corner.second) = patch.high[direction];
      auto next = byCorner.find(corner);
      if (next == byCorner.end() && isPeriodic && direction == 0 &&
          patch.high[0] > 2 * std::numbers::pi - 1e-9)
        next = byCorner.find({byCorner.begin()->first.first, patch.low[1]});
      if (next == byCorner.end()) continue;
      for (const double along : {0.1, 0.5, 0.9}) {
        const bool isS = direction == 0;
        const Vector3d n = patchPoint(patch, isS ? 1 : along, isS ? along : 1).normal();
        const Vector3d m = patchPoint(*next->second, isS ? 0 : along, isS ? along : 0).normal();
        if (!(n.dot(m) > 0 && n.cross(m).norm() <= kSmoothJoint))
          throw std::invalid_argument("a crease between patches");
      }
    }
}

/// Curvatures of the squared distance below this part of the surface's own metric are not used [-]: in their
/// directions the point lies near or beyond a center of curvature.
constexpr double kFlattest = 1e-8;

// The point at (s, t) + d by its derivatives: exact to |d|³, and its tangents to |d|².
FreeformPoint shifted(FreeformPoint at, const Vector2d& d) {
  const Vector3d du = d.x() * at.uu + d.y() * at.uv, dv = d.x() * at.uv + d.y() * at.vv;
  at.p += d.x() * (at.u + 0.5 * du) + d.y() * (at.v + 0.5 * dv);
  at.u += du;
  at.v += dv;
  return at;
}

}  // namespace

Eigen::Matrix2d withoutFlat(const Eigen::Matrix2d& H, const Eigen::Matrix2d& metric, double flattest,
                            double instead) {
  const Eigen::Matrix2d root = metric.llt().matrixL(), inverse = root.inverse();
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver;
  solver.computeDirect(inverse * H * inverse.transpose());
  const Vector2d kept = solver.eigenvalues().unaryExpr([=](double x) { return x > flattest ? x : instead; });
  const Eigen::Matrix2d& d = solver.eigenvectors();
  return root * (d * kept.asDiagonal() * d.transpose()) * root.transpose();
}

FreeformSurface::FreeformSurface(std::vector<BezierPatch> patches, bool isPeriodic)
    : given_(std::move(patches)), isPeriodic_(isPeriodic) {
  static std::atomic<std::uint64_t> count{0};
  id_ = ++count;
  if (given_.empty()) throw std::invalid_argument("no patches");
  for (const BezierPatch& patch : given_) requireValid(patch);
  requireSmooth(given_, isPeriodic_);
  for (const BezierPatch& patch : given_) divide(patch, 0);
  findReach();
}

void FreeformSurface::findReach() {
  Vector2d low = Vector2d::Constant(HUGE_VAL), high = -low;
  for (const Patch& patch : patches_) {
    low = low.cwiseMin(Vector2d(patch.shape.low[0], patch.shape.low[1]));
    high = high.cwiseMax(Vector2d(patch.shape.high[0], patch.shape.high[1]));
  }
  for (Patch& patch : patches_) {
    double longest = 0;  // bound of the lengths beyond borders [m]
    for (std::size_t k = 0; k < 2; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      patch.isLast[k] = patch.shape.high[k] == high[axis];
      const bool isOpen = k == 1 || !isPeriodic_, isFirst = patch.shape.low[k] == low[axis];
      const double beyond = kBeyond * patch.size[axis];
      patch.reach[0][axis] = patch.shape.low[k] - (isOpen && isFirst ? beyond : 0);
      patch.reach[1][axis] = patch.shape.high[k] + (isOpen && patch.isLast[k] ? beyond : 0);
      if (isOpen && (isFirst || patch.isLast[k])) longest += beyond * largestSpeed_[axis];
    }
    patch.reachBounds = {patch.bounds.low.array() - longest, patch.bounds.high.array() + longest};
    const Vector2d origin(patch.shape.low[0], patch.shape.low[1]);
    patch.cells = PatchCells(patch.shape, (patch.reach[0] - origin).cwiseQuotient(patch.size),
                             (patch.reach[1] - origin).cwiseQuotient(patch.size));
  }
}

// Its normals at a grid of points decide.
void FreeformSurface::divide(const BezierPatch& patch, int depth) {
  constexpr int kSamples = 6;
  Patch own;
  own.shape = patch;
  own.size = {patch.high[0] - patch.low[0], patch.high[1] - patch.low[1]};
  const FreeformPoint middle = patchPoint(patch, 0.5, 0.5);
  const Vector3d n = middle.normal();
  double largest = 0, least = std::numeric_limits<double>::infinity(), tilt = 0, inS = 0, inT = 0;
  Vector2d speed = Vector2d::Zero();
  double leastSide = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kSamples; ++i)
    for (int k = 0; k <= kSamples; ++k) {
      const FreeformPoint at =
          patchPoint(patch, static_cast<double>(i) / kSamples, static_cast<double>(k) / kSamples);
      const Vector3d across = at.u.cross(at.v);
      const double area = across.norm();
      largest = std::max(largest, area);
      leastSide = std::min({leastSide, at.u.norm(), at.v.norm()});
      least = std::min(least, area);
      if (!(area > kNoNormal * at.u.norm() * at.v.norm()))
        throw std::invalid_argument("a pole or fold of a patch");
      speed = speed.cwiseMax(Vector2d(at.u.norm(), at.v.norm()).cwiseQuotient(own.size));
      const double turn = std::atan2(n.cross(across).norm(), n.dot(across));
      tilt = std::max(tilt, turn);
      if (i == kSamples / 2) inT = std::max(inT, turn);
      if (k == kSamples / 2) inS = std::max(inS, turn);
    }
  if (!(least > kNoNormal * largest)) throw std::invalid_argument("a pole or fold of a patch");
  if (tilt > kLargestTilt) {
    if (depth == kMaxDepth || patches_.size() >= kMaxPatches)
      throw std::invalid_argument("more patches than allowed");
    for (const BezierPatch& half : halves(patch, inS >= inT ? 0 : 1)) divide(half, depth + 1);
    return;
  }
  largestSpeed_ = largestSpeed_.cwiseMax(speed);
  for (int i = 0; i < kSeeds; ++i)
    for (int k = 0; k < kSeeds; ++k)
      own.seeds[static_cast<std::size_t>(kSeeds) * static_cast<std::size_t>(i) +
                static_cast<std::size_t>(k)] =
          patchPoint(patch, static_cast<double>(i) / (kSeeds - 1), static_cast<double>(k) / (kSeeds - 1)).p;
  for (std::size_t corner = 0; corner < 4; ++corner)
    own.cornerNormals[corner] = patchPoint(patch, corner & 1 ? 1 : 0, corner & 2 ? 1 : 0).normal();
  own.bounds = hullBounds(patch);
  own.middle = middle;
  own.leastSide = leastSide;
  patches_.push_back(std::move(own));
}

FreeformPoint FreeformSurface::at(int patch, const Vector2d& uv) const {
  const Patch& own = patches_[static_cast<std::size_t>(patch)];
  return byParameters(patchPoint(own.shape, (uv.x() - own.shape.low[0]) / own.size.x(),
                                 (uv.y() - own.shape.low[1]) / own.size.y()),
                      own.size);
}

Vector2d FreeformSurface::seed(int patch, int i, int k) const {
  const Patch& own = patches_[static_cast<std::size_t>(patch)];
  return Vector2d(own.shape.low[0], own.shape.low[1]) + own.size.cwiseProduct(Vector2d(i, k) / (kSeeds - 1));
}

const Vector3d& FreeformSurface::seedPoint(int patch, int i, int k) const {
  return patches_[static_cast<std::size_t>(patch)]
      .seeds[static_cast<std::size_t>(kSeeds) * static_cast<std::size_t>(i) + static_cast<std::size_t>(k)];
}

int FreeformSurface::cellOf(int patch, const Vector2d& uv) const {
  const Patch& own = patches_[static_cast<std::size_t>(patch)];
  const auto part = [&](Eigen::Index k) {
    const double share = (uv[k] - own.shape.low[static_cast<std::size_t>(k)]) / own.size[k];
    return static_cast<int>(std::clamp(4 * share, 0.0, 3.0));
  };
  return 4 * part(0) + part(1);
}

bool FreeformSurface::has(int patch, const Vector2d& uv, const Vector2d& scale, double tolerance) const {
  const Patch& own = patches_[static_cast<std::size_t>(patch)];
  for (std::size_t k = 0; k < 2; ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    const double x = uv[axis];
    const double slack = tolerance > 0 ? std::max(tolerance, kJoint) / scale[axis] : 0;
    if (x < own.reach[0][axis] - slack || x > own.reach[1][axis] + slack) return false;
    if (!(tolerance > 0) && x == own.shape.high[k] && !own.isLast[k]) return false;
  }
  return true;
}

// Newton's method for the squared distance from `first`, in s and t within −beyond … 1 + beyond; a coordinate
// that would leave stays at its border.
FreeformSurface::Foot FreeformSurface::search(int patch, const Vector3d& p, double beyond,
                                              const Vector2d& first) const {
  constexpr int kSteps = 40;
  constexpr double kThere = 1e-9;
  const Patch& own = patches_[static_cast<std::size_t>(patch)];
  const double low = -beyond, high = 1 + beyond;
  Vector2d x = first.cwiseMax(low).cwiseMin(high);
  FreeformPoint at = patchPoint(own.shape, x.x(), x.y());
  for (int step = 0; step < kSteps; ++step) {
    const Vector3d r = at.p - p;
    const Vector2d g(r.dot(at.u), r.dot(at.v));
    Eigen::Matrix2d flat, H;
    flat << at.u.squaredNorm(), at.u.dot(at.v), at.u.dot(at.v), at.v.squaredNorm();
    H << r.dot(at.uu), r.dot(at.uv), r.dot(at.uv), r.dot(at.vv);
    H += flat;
    if (!(H(0, 0) > kFlattest * flat(0, 0)) || !(H.determinant() > kFlattest * flat.determinant()))
      H = withoutFlat(H, flat, kFlattest, 1);
    std::array<bool, 2> isHeld{};
    for (Eigen::Index k = 0; k < 2; ++k)
      isHeld[static_cast<std::size_t>(k)] = (x[k] <= low && g[k] > 0) || (x[k] >= high && g[k] < 0);
    Vector2d d = Vector2d::Zero();
    if (!isHeld[0] && !isHeld[1])
      d = -H.inverse() * g;
    else if (!isHeld[0])
      d.x() = -g.x() / H(0, 0);
    else if (!isHeld[1])
      d.y() = -g.y() / H(1, 1);
    const Vector2d next = (x + d).cwiseMax(low).cwiseMin(high);
    const double moved = (next - x).cwiseAbs().maxCoeff();
    if (moved <= kThere) {
      at = shifted(at, next - x);
      x = next;
      break;
    }
    x = next;
    at = patchPoint(own.shape, x.x(), x.y());
  }
  Foot foot;
  foot.patch = patch;
  foot.uv = Vector2d(own.shape.low[0], own.shape.low[1]) + own.size.cwiseProduct(x);
  foot.at = byParameters(at, own.size);
  foot.normal = at.normal();
  foot.distance = foot.normal.dot(p - at.p);
  for (Eigen::Index k = 0; k < 2; ++k) {
    const Vector3d& along = k == 0 ? at.u : at.v;
    if (x[k] > low && x[k] < high) continue;
    foot.isBeyond = true;
    foot.beyond = std::max(foot.beyond, (x[k] <= low ? -1 : 1) * along.dot(p - at.p) / along.norm());
  }
  return foot;
}

Vector2d FreeformSurface::inTangentPlane(int patch, const Vector3d& p) const {
  const FreeformPoint& middle = patches_[static_cast<std::size_t>(patch)].middle;
  return Vector2d::Constant(0.5) + middle.parametersAlong(p - middle.p);
}

FreeformSurface::Foot FreeformSurface::nearestOf(const Vector3d& p, int patch) const {
  return search(patch, p, 0, inTangentPlane(patch, p));
}

int FreeformSurface::nearestPatch(const Vector3d& p) const {
  constexpr double kOnPatch = 1e-9;  // no other patch is nearer by more [m]
  const auto outside = [&](const Bounds& box) {
    return (box.low - p).cwiseMax(p - box.high).cwiseMax(0.0).squaredNorm();
  };
  int nearest = 0;
  double least = std::numeric_limits<double>::infinity();  // squared [m²]
  const auto consider = [&](int k) {
    const double squared = (nearestOf(p, k).at.p - p).squaredNorm();
    if (squared < least) least = squared, nearest = k;
  };
  // First the one whose middle is nearest, so that most boxes are too far.
  int first = 0;
  double middle = std::numeric_limits<double>::infinity();
  for (int k = 0; k < patchCount(); ++k)
    if (const double squared = (patches_[static_cast<std::size_t>(k)].middle.p - p).squaredNorm();
        squared < middle)
      middle = squared, first = k;
  consider(first);
  for (int k = 0; k < patchCount() && least > kOnPatch * kOnPatch; ++k)
    if (k != first && outside(bounds(k)) < least) consider(k);
  return nearest;
}

namespace {

struct LastFoot {
  std::uint64_t surface = 0;
  int patch = -1;
  Vector3d p = Vector3d::Zero();
  FreeformSurface::Foot foot;
};
thread_local LastFoot lastFoot;

}  // namespace

FreeformSurface::Foot FreeformSurface::footOf(const Vector3d& p, int patch) const {
  LastFoot& last = lastFoot;
  if (last.surface == id_ && last.patch == patch && last.p == p) return last.foot;
  const int own = patch < 0 ? nearestPatch(p) : patch;
  last = {id_, patch, p, search(own, p, kBeyond, inTangentPlane(own, p))};
  return last.foot;
}

FreeformSurface::Foot FreeformSurface::footNear(const Vector3d& p, const Foot& near,
                                                const Vector3d& nearPoint) const {
  const Patch& own = patches_[static_cast<std::size_t>(near.patch)];
  const Vector2d uv = near.uv + near.at.parametersAlong(p - nearPoint);
  const Vector2d first = (uv - Vector2d(own.shape.low[0], own.shape.low[1])).cwiseQuotient(own.size);
  lastFoot = {id_, near.patch, p, search(near.patch, p, kBeyond, first)};
  return lastFoot.foot;
}

void FreeformSurface::forgetFoot() {
  lastFoot.surface = 0;
}

}  // namespace tenon::physics::brep
