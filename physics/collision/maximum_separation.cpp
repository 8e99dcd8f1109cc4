// A proximal bundle method. The separation along n is the minimum of n·w over all differences w of a point of
// b and a point of a, a concave function of n. Each minimizer w is a subgradient: an upper bound n·w in all
// directions. Directions near n are n + t, t ⟂ n; the next one maximizes the minimum of the subgradients'
// bounds minus μ|t|²/2. Unlike GJK the method has no special case at touching. The weights λ of the active
// subgradients combine the extreme points of a and b to a pair of points of the parts; at convergence they
// face each other along n at the distance of the separation, which proves it.
#include "physics/collision/maximum_separation.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics {
namespace {

using Eigen::Vector2d;

constexpr int kMaxBundleIterations = 100;
constexpr double kOffsetTolerance = 1e-10;     // lateral offset of the pair of points [m]
constexpr double kDeepOffsetTolerance = 1e-7;  // the same in deep overlap [m]
constexpr double kMinNormalDistance = 1e-6;    // distance from which the points define the normal [m]
constexpr double kMinDamping = 1e-6;           // of μ [m]

struct Subgradient {
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero();  // extreme points of the two parts [m]
  double height = 0;                                    // of the bound at t = 0 above the separation [m]
  Vector2d slope = Vector2d::Zero();                    // [m]
  double weight = 0;                                    // λ [-]
  Vector3d difference() const { return b - a; }
};

class BundleSearch {
 public:
  BundleSearch(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB, const Vector3d& start)
      : a_(a), b_(b), X_AB_(X_AB), n_(start) {
    separation_ = addSubgradient(start);
    damping_ = std::max(kMinDamping, subgradients_[0].difference().norm());
    rounding_ = 1e-16 * (subgradients_[0].a.norm() + subgradients_[0].b.norm());
  }
  CorePoints run(double range);

  double addSubgradient(const Vector3d& n);
  void linearize();
  void solve();
  void tryPair(int i, int j);
  void tryTriple(int i, int j, int k);
  void updateBest(const std::array<int, 3>& indices, const Vector3d& weights);
  CorePoints result() const;

  static constexpr int kMaxSubgradients = 6;
  const ConvexPart &a_, &b_;
  const RigidTransform& X_AB_;
  Vector3d n_, u_ = Vector3d::Zero(), v_ = Vector3d::Zero();
  double separation_ = 0;  // along n_ [m]
  double damping_ = 0;     // μ [m]
  double rounding_ = 0;    // of separations [m]
  std::array<Subgradient, kMaxSubgradients> subgradients_;
  int count_ = 0;
  // The best convex combination of subgradients.
  double bestValue_ = 0;               // its dual value [m]
  double height_ = 0;                  // Σ λ height [m]
  Vector2d slope_ = Vector2d::Zero();  // Σ λ slope [m]
};

// Returns the separation along n.
double BundleSearch::addSubgradient(const Vector3d& n) {
  int at = count_;
  if (count_ < kMaxSubgradients) {
    ++count_;
  } else {  // replaces the inactive subgradient with the highest bound
    at = -1;
    for (int k = 0; k < kMaxSubgradients; ++k) {
      const Subgradient& subgradient = subgradients_[k];
      if (subgradient.weight > 0) continue;
      if (at < 0 || n.dot(subgradient.difference()) > n.dot(subgradients_[at].difference())) at = k;
    }
  }
  Subgradient& subgradient = subgradients_[at];
  subgradient.a = coreSupport(a_, n);
  subgradient.b = X_AB_.point(coreSupport(b_, -(X_AB_.R.transpose() * n)));
  subgradient.weight = 0;
  return n.dot(subgradient.difference());
}

void BundleSearch::linearize() {
  u_ = n_.unitOrthogonal();
  v_ = n_.cross(u_);
  for (int k = 0; k < count_; ++k) {
    const Vector3d w = subgradients_[k].difference();
    subgradients_[k].height = std::max(0.0, n_.dot(w) - separation_);
    subgradients_[k].slope = {u_.dot(w), v_.dot(w)};
  }
}

void BundleSearch::updateBest(const std::array<int, 3>& indices, const Vector3d& weights) {
  if (!(weights.minCoeff() >= 0)) return;
  double height = 0;
  Vector2d slope = Vector2d::Zero();
  for (int k = 0; k < 3; ++k) {
    height += weights[k] * subgradients_[indices[k]].height;
    slope += weights[k] * subgradients_[indices[k]].slope;
  }
  const double value = height + 0.5 * slope.squaredNorm() / damping_;
  if (value >= bestValue_) return;
  bestValue_ = value;
  height_ = height;
  slope_ = slope;
  for (int k = 0; k < count_; ++k) subgradients_[k].weight = 0;
  for (int k = 0; k < 3; ++k) subgradients_[indices[k]].weight += weights[k];
}

void BundleSearch::tryPair(int i, int j) {
  const Vector2d d = subgradients_[i].slope - subgradients_[j].slope;
  const double rise = subgradients_[i].height - subgradients_[j].height;
  const double share = -(subgradients_[j].slope.dot(d) + damping_ * rise) / d.squaredNorm();
  updateBest({i, j, j}, {share, 1 - share, 0});
}

void BundleSearch::tryTriple(int i, int j, int k) {
  // k: the vertex between the two shorter sides of the triangle of slopes, which avoids cancellation if two
  // of the slopes are close.
  const auto squaredDistance = [&](int p, int q) {
    return (subgradients_[p].slope - subgradients_[q].slope).squaredNorm();
  };
  const double ij = squaredDistance(i, j), jk = squaredDistance(j, k), ki = squaredDistance(k, i);
  if (jk > ij && jk >= ki) std::swap(i, k);
  if (ki > ij && ki > jk) std::swap(j, k);
  const Vector2d di = subgradients_[i].slope - subgradients_[k].slope,
                 dj = subgradients_[j].slope - subgradients_[k].slope;
  const double determinant = di.x() * dj.y() - di.y() * dj.x();
  if (determinant == 0) return;
  // t where the three bounds are equal, then λ with Σ λ slope = μ t.
  const double hi = subgradients_[k].height - subgradients_[i].height,
               hj = subgradients_[k].height - subgradients_[j].height;
  const Vector2d t = Vector2d(hi * dj.y() - hj * di.y(), hj * di.x() - hi * dj.x()) / determinant;
  const Vector2d residual = damping_ * t - subgradients_[k].slope;
  const double x = (residual.x() * dj.y() - residual.y() * dj.x()) / determinant;
  const double y = (di.x() * residual.y() - di.y() * residual.x()) / determinant;
  updateBest({i, j, k}, {x, y, 1 - x - y});
}

// The combination λ with minimum dual value Σ λ height + |Σ λ slope|²/2μ; at most three weights are nonzero.
void BundleSearch::solve() {
  bestValue_ = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count_; ++i) {
    updateBest({i, i, i}, {1, 0, 0});
    for (int j = 0; j < i; ++j) {
      tryPair(i, j);
      for (int k = 0; k < j; ++k) tryTriple(i, j, k);
    }
  }
}

CorePoints BundleSearch::run(double range) {
  for (int iteration = 0; iteration < kMaxBundleIterations && separation_ <= range; ++iteration) {
    linearize();
    solve();
    const double tolerance = separation_ < -kShallowOverlap ? kDeepOffsetTolerance : kOffsetTolerance;
    if (height_ <= 1e-3 * tolerance && slope_.norm() <= tolerance) break;
    if (bestValue_ <= rounding_) {
      // Converged to rounding. Of all combinations select the one with the smallest lateral offset.
      damping_ = kMinDamping;
      solve();
      break;
    }
    const Vector2d t = slope_ / damping_;
    const Vector3d n = (n_ + t.x() * u_ + t.y() * v_).normalized();
    const double separation = addSubgradient(n);
    if (separation > separation_) {
      n_ = n;
      separation_ = separation;
      damping_ = std::max({kMinDamping, separation, 0.25 * damping_});
    }
  }
  return result();
}

CorePoints BundleSearch::result() const {
  CorePoints points;
  points.n = n_;
  points.distance = separation_;
  for (int k = 0; k < count_; ++k) {
    points.a += subgradients_[k].weight * subgradients_[k].a;
    points.b += subgradients_[k].weight * subgradients_[k].b;
  }
  // At larger distances the line between the points is a more accurate normal.
  const Vector3d n = (points.b - points.a).normalized();
  if (separation_ > kMinNormalDistance && coreSeparation(a_, b_, X_AB_, n) >= separation_ - 4 * rounding_)
    points.n = n;
  // Share the remaining lateral offset.
  const Vector3d middle = 0.5 * (points.a + points.b), half = 0.5 * separation_ * points.n;
  points.a = middle - half;
  points.b = middle + half;
  return points;
}

}  // namespace

double coreSeparation(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB,
                      const Vector3d& n) {
  return n.dot(X_AB.point(coreSupport(b, -(X_AB.R.transpose() * n))) - coreSupport(a, n));
}

CorePoints maximumSeparation(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB,
                             const Vector3d& start, double range) {
  CorePoints points = BundleSearch(a, b, X_AB, start).run(range);
  points.isSeparated = points.distance > range;
  return points;
}

}  // namespace tenon::physics
