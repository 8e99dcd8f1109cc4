// A proximal bundle method. The separation along n is the least n·w over all differences w of a point of b
// and one of a. A difference that was least along some direction is a cut: an upper bound along all. Near n
// the directions are n + t, t ⟂ n, and the next one is the highest point under the cuts, less μ|t|²/2.
// Unlike in GJK nothing is special where the pieces touch. The points come with their proof: the weights λ
// of the cuts that meet in the highest point mix a's and b's extreme points to a pair of points of the
// pieces, which face each other along n at the distance of the plane once climbing has an end.
#include "physics/collision/maximum_separation.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/geometry/tolerances.h"

namespace tenon::physics {
namespace {

using Eigen::Vector2d;

constexpr int kIterations = 100;
constexpr double kAcross = 1e-10;       // how far the pair of points may be off along the plane [m]
constexpr double kRoughly = 1e-7;       // the same in deep overlap [m]
constexpr double kFar = 1e-6;           // [m]
constexpr double kLeastDamping = 1e-6;  // of μ [m]

struct Cut {
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero();  // extreme points of the two pieces [m]
  double height = 0;                                    // at t = 0, above the separation there [m]
  Vector2d slope = Vector2d::Zero();                    // [m]
  double weight = 0;                                    // λ [-]
  Vector3d difference() const { return b - a; }
};

class Climb {
 public:
  Climb(const ConvexPart& a, const ConvexPart& b, const RigidTransform& X_AB, const Vector3d& start)
      : a_(a), b_(b), X_AB_(X_AB), n_(start) {
    width_ = addCut(start);
    damping_ = std::max(kLeastDamping, cuts_[0].difference().norm());
    rounding_ = 1e-16 * (cuts_[0].a.norm() + cuts_[0].b.norm());
  }
  CorePoints run(double range);

  double addCut(const Vector3d& n);
  void linearize();
  void solve();
  void tryPair(int i, int j);
  void tryTriple(int i, int j, int k);
  void keepIfLeast(const std::array<int, 3>& cuts, const Vector3d& weights);
  CorePoints result() const;

  static constexpr int kMost = 6;
  const ConvexPart &a_, &b_;
  const RigidTransform& X_AB_;
  Vector3d n_, u_ = Vector3d::Zero(), v_ = Vector3d::Zero();
  double width_ = 0;     // separation along n_ [m]
  double damping_ = 0;   // μ [m]
  double rounding_ = 0;  // of separations [m]
  std::array<Cut, kMost> cuts_;
  int count_ = 0;
  // The best mix of cuts.
  double least_ = 0;                   // its dual value [m]
  double height_ = 0;                  // Σ λ height [m]
  Vector2d slope_ = Vector2d::Zero();  // Σ λ slope [m]
};

// Returns the separation along n.
double Climb::addCut(const Vector3d& n) {
  int at = count_;
  if (count_ < kMost) {
    ++count_;
  } else {  // in place of the highest that does not count
    at = -1;
    for (int k = 0; k < kMost; ++k) {
      const Cut& cut = cuts_[k];
      if (cut.weight > 0) continue;
      if (at < 0 || n.dot(cut.difference()) > n.dot(cuts_[at].difference())) at = k;
    }
  }
  Cut& cut = cuts_[at];
  cut.a = coreSupport(a_, n);
  cut.b = X_AB_.point(coreSupport(b_, -(X_AB_.R.transpose() * n)));
  cut.weight = 0;
  return n.dot(cut.difference());
}

void Climb::linearize() {
  u_ = n_.unitOrthogonal();
  v_ = n_.cross(u_);
  for (int k = 0; k < count_; ++k) {
    const Vector3d w = cuts_[k].difference();
    cuts_[k].height = std::max(0.0, n_.dot(w) - width_);
    cuts_[k].slope = {u_.dot(w), v_.dot(w)};
  }
}

void Climb::keepIfLeast(const std::array<int, 3>& cuts, const Vector3d& weights) {
  if (!(weights.minCoeff() >= 0)) return;
  double height = 0;
  Vector2d slope = Vector2d::Zero();
  for (int k = 0; k < 3; ++k) {
    height += weights[k] * cuts_[cuts[k]].height;
    slope += weights[k] * cuts_[cuts[k]].slope;
  }
  const double value = height + 0.5 * slope.squaredNorm() / damping_;
  if (value >= least_) return;
  least_ = value;
  height_ = height;
  slope_ = slope;
  for (int k = 0; k < count_; ++k) cuts_[k].weight = 0;
  for (int k = 0; k < 3; ++k) cuts_[cuts[k]].weight += weights[k];
}

void Climb::tryPair(int i, int j) {
  const Vector2d d = cuts_[i].slope - cuts_[j].slope;
  const double rise = cuts_[i].height - cuts_[j].height;
  const double share = -(cuts_[j].slope.dot(d) + damping_ * rise) / d.squaredNorm();
  keepIfLeast({i, j, j}, {share, 1 - share, 0});
}

void Climb::tryTriple(int i, int j, int k) {
  // k where the shorter two sides of the triangle of slopes meet: two of them may be close, and differences
  // from the third would lose what tells them apart.
  const auto apart = [&](int p, int q) { return (cuts_[p].slope - cuts_[q].slope).squaredNorm(); };
  const double ij = apart(i, j), jk = apart(j, k), ki = apart(k, i);
  if (jk > ij && jk >= ki) std::swap(i, k);
  if (ki > ij && ki > jk) std::swap(j, k);
  const Vector2d di = cuts_[i].slope - cuts_[k].slope, dj = cuts_[j].slope - cuts_[k].slope;
  const double determinant = di.x() * dj.y() - di.y() * dj.x();
  if (determinant == 0) return;
  // t where the three are as high, then λ with Σ λ slope = μ t.
  const double hi = cuts_[k].height - cuts_[i].height, hj = cuts_[k].height - cuts_[j].height;
  const Vector2d t = Vector2d(hi * dj.y() - hj * di.y(), hj * di.x() - hi * dj.x()) / determinant;
  const Vector2d rest = damping_ * t - cuts_[k].slope;
  const double x = (rest.x() * dj.y() - rest.y() * dj.x()) / determinant;
  const double y = (di.x() * rest.y() - di.y() * rest.x()) / determinant;
  keepIfLeast({i, j, k}, {x, y, 1 - x - y});
}

// The mix of cuts of least dual value, Σ λ height + |Σ λ slope|²/2μ: at most three in the plane of t.
void Climb::solve() {
  least_ = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count_; ++i) {
    keepIfLeast({i, i, i}, {1, 0, 0});
    for (int j = 0; j < i; ++j) {
      tryPair(i, j);
      for (int k = 0; k < j; ++k) tryTriple(i, j, k);
    }
  }
}

CorePoints Climb::run(double range) {
  for (int iteration = 0; iteration < kIterations && width_ <= range; ++iteration) {
    linearize();
    solve();
    const double enough = width_ < -kShallowOverlap ? kRoughly : kAcross;
    if (height_ <= 1e-3 * enough && slope_.norm() <= enough) break;
    if (least_ <= rounding_) {
      // As high as numbers tell. Of all mixes the one whose points face each other best.
      damping_ = kLeastDamping;
      solve();
      break;
    }
    const Vector2d t = slope_ / damping_;
    const Vector3d n = (n_ + t.x() * u_ + t.y() * v_).normalized();
    const double width = addCut(n);
    if (width > width_) {
      n_ = n;
      width_ = width;
      damping_ = std::max({kLeastDamping, width, 0.25 * damping_});
    }
  }
  return result();
}

CorePoints Climb::result() const {
  CorePoints points;
  points.n = n_;
  points.distance = width_;
  for (int k = 0; k < count_; ++k) {
    points.a += cuts_[k].weight * cuts_[k].a;
    points.b += cuts_[k].weight * cuts_[k].b;
  }
  // From far away the line between the points tells the direction better than the width of the plane.
  const Vector3d n = (points.b - points.a).normalized();
  if (width_ > kFar && coreSeparation(a_, b_, X_AB_, n) >= width_ - 4 * rounding_) points.n = n;
  // What is left of an offset along the plane is shared.
  const Vector3d middle = 0.5 * (points.a + points.b), half = 0.5 * width_ * points.n;
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
  CorePoints points = Climb(a, b, X_AB, start).run(range);
  points.apart = points.distance > range;
  return points;
}

}  // namespace tenon::physics
