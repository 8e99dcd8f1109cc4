// The almost complementary path, its ratio test, and the forces at its end.
#include "physics/math/lemke.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::physics {
namespace {

using Matrix = Eigen::Ref<const Eigen::MatrixXd>;
using Vector = Eigen::Ref<const Eigen::VectorXd>;

// A variable falls if its rate exceeds this, relative to the fastest: slower ones are constant to rounding,
// and pivoting on them would make the core singular.
constexpr double kMinRate = 1e-11;
// Basic variables that would end this close to 0 reach it together, relative to the largest of their kind.
constexpr double kRatioTie = 1e-12;
// Rounding that the forces leave in w and z, which are sums of them, in units of the largest force and
// a unit diagonal of A.
constexpr double kForceRounding = 1e-14;
// Lexicographic coefficients count as equal this close, in units of the largest.
constexpr double kLexicographicTie = 1e-10;
// Covering variable that counts as 0, in units of max|b|.
constexpr double kCovered = 1e-14;
// σ of the proximal paths, relative to the largest entry: far above kMinRate, and small enough that one or
// two paths usually suffice.
constexpr double kProximal = 1e-8;
// A problem whose plain path ended in a ray fails where this many proximal paths leave a residual
// above this, relative to max|b|: those of a solvable one fall below it at once, as |f⁺ − f| is bounded.
constexpr int kPathsOfHope = 3;
constexpr double kHopeless = 1e-4;

}  // namespace

void Lemke::reserve(int size) {
  if (size <= size_) return;
  size_ = size;
  basis_.reserve(size);
  for (Eigen::VectorXd* v : {&b_, &f_, &x_, &y_, &dx_, &dy_, &unit_}) v->resize(size + 1);
  shifted_.resize(size, size);
  candidates_.reserve(2 * size + 1);
}

LemkeResult Lemke::solve(const Matrix& A, const Vector& b, Eigen::Ref<Eigen::VectorXd> f,
                         const LemkeOptions& options) {
  const int n = static_cast<int>(b.size());
  reserve(n);
  f.setZero();
  pivots_ = 0;
  if (n == 0 || b.minCoeff() >= 0) return {LemkeOutcome::solved, 0, 0, 0};
  LemkeResult result;
  result.residual = -b.minCoeff();
  if (!b.allFinite() || !A.allFinite()) return result;
  work_ = 0;
  maxWork_ = options.maxWork;

  const double largest = b.cwiseAbs().maxCoeff(), absoluteTolerance = options.tolerance * largest;
  const int maxPivots = options.firstPivots + options.pivotsPerRow * n;
  const double sigma = kProximal * A.cwiseAbs().maxCoeff();
  Walk plainEnd = Walk::complementary;
  f_.head(n).setZero();
  const Matrix shifted(shifted_.topLeftCorner(n, n));
  for (result.paths = 0; result.paths <= options.proximalPaths && result.residual > absoluteTolerance;
       ++result.paths) {
    // The first path is the plain one. Of the proximal ones the first starts from 0, the others from
    // the end of the last one.
    if (result.paths == 1) {
      f_.head(n).setZero();
      shifted_.topLeftCorner(n, n) = A;
      shifted_.topLeftCorner(n, n).diagonal().array() += sigma;
    }
    b_.head(n) = b;
    if (result.paths > 0) b_.head(n) -= sigma * f_.head(n);
    const Walk end = walk(result.paths == 0 ? A : shifted, b_, maxPivots);
    if (result.paths == 0) plainEnd = end;
    const double residual = naturalResidual(A, b);
    if (residual < result.residual) {
      result.residual = residual;
      f = f_.head(n);
    }
    result.pivots += pivots_;
    const bool hopeless = result.residual > kHopeless * largest;
    if (plainEnd == Walk::limit) break;
    if (plainEnd == Walk::ray && result.paths >= kPathsOfHope && hopeless) break;
  }
  if (result.residual <= absoluteTolerance) {
    result.outcome = LemkeOutcome::solved;
  } else if (plainEnd == Walk::ray) {
    result.outcome = LemkeOutcome::rayTermination;
  } else if (plainEnd == Walk::limit) {
    result.outcome = LemkeOutcome::pivotLimit;
  }
  return result;
}

// Follows the almost complementary path, f_ its forces. Of pair s neither f_s nor w_s is basic.
Lemke::Walk Lemke::walk(const Matrix& A, const Eigen::VectorXd& b, int maxPivots) {
  const int n = static_cast<int>(A.rows());
  // z rises until w + z ≥ 0. Of equal b_i, b_i + ε^i is smallest for the last.
  int s = 0;
  for (int i = 1; i < n; ++i) {
    if (b[i] <= b[s]) s = i;
  }
  const double covered = kCovered * b.head(n).cwiseAbs().maxCoeff();
  basis_.start(A, s);
  f_.head(n).setZero();
  bool forceEnters = true;
  for (pivots_ = 1; pivots_ <= maxPivots; ++pivots_) {
    work_ += std::pow(basis_.order(), 3);
    if (maxWork_ > 0 && work_ > maxWork_) return Walk::limit;
    respondAll(A, b, s, forceEnters);
    readForces(n);
    if (x_[basis_.coveringPosition()] <= covered) return Walk::complementary;
    collectTies(n);
    breakTies(A);
    if (candidates_.empty()) return Walk::ray;

    const Candidate leaving = candidates_.front();
    const int out = leaving.row >= 0 ? leaving.row : basis_.column(leaving.column);
    if (!basis_.exchange(A, s, forceEnters, leaving.column, leaving.row)) return Walk::broken;
    if (out == LemkeBasis::kCovering) {
      basis_.respond(A, b, x_, y_);
      readForces(n);
      return Walk::complementary;
    }
    // The complement of the variable that left enters next.
    s = out;
    forceEnters = leaving.row >= 0;
  }
  return Walk::limit;
}

// Values and directions of all basic variables.
void Lemke::respondAll(const Matrix& A, const Eigen::VectorXd& b, int s, bool forceEnters) {
  auto entering = unit_.head(A.rows());
  if (forceEnters) {
    entering = A.col(s);
  } else {
    entering.setZero();
    entering[s] = -1;
  }
  basis_.respond(A, b, x_, y_);
  basis_.respond(A, unit_, dx_, dy_);
}

// The basic variables that reach 0 first; z alone if it is among them, as it ends the path.
void Lemke::collectTies(int n) {
  const int covering = basis_.coveringPosition();
  const Scale speed = scaleOf(dx_, dy_, n), value = scaleOf(x_, y_, n);
  const double still = kMinRate * std::max(speed.force, speed.gap);
  const double forceTie = kRatioTie * value.force,
               gapTie = kRatioTie * value.gap + kForceRounding * value.force;
  candidates_.clear();
  for (int p = 0; p < basis_.order(); ++p) {
    if (!(-dx_[p] > still)) continue;
    candidates_.push_back(
        {p, -1, -dx_[p], std::max(x_[p], 0.0) / -dx_[p], p == covering ? gapTie : forceTie});
  }
  for (int i = 0; i < n; ++i) {
    if (!(-dy_[i] > still) || basis_.holds(i)) continue;
    candidates_.push_back({-1, i, -dy_[i], std::max(y_[i], 0.0) / -dy_[i], gapTie});
  }
  double step = std::numeric_limits<double>::infinity();
  for (const Candidate& c : candidates_) step = std::min(step, c.key);
  std::erase_if(candidates_, [&](const Candidate& c) { return (c.key - step) * c.speed > c.tie; });
  const auto z = std::find_if(candidates_.begin(), candidates_.end(),
                              [&](const Candidate& c) { return c.row < 0 && c.column == covering; });
  if (z != candidates_.end()) candidates_.assign(1, Candidate(*z));
}

// Largest force and largest w or z of a response.
Lemke::Scale Lemke::scaleOf(const Eigen::VectorXd& x, const Eigen::VectorXd& y, int n) const {
  Scale scale{0, y.head(n).cwiseAbs().maxCoeff()};
  for (int p = 0; p < basis_.order(); ++p) {
    double& largest = basis_.column(p) == LemkeBasis::kCovering ? scale.gap : scale.force;
    largest = std::max(largest, std::abs(x[p]));
  }
  return scale;
}

// Leaves one candidate: the lexicographically smallest row (B⁻¹)_c / speed_c. Column i of B⁻¹ is the
// response to e_i, which is e_i itself where w_i is basic.
void Lemke::breakTies(const Matrix& A) {
  for (int i = 0; i < A.rows() && candidates_.size() > 1; ++i) {
    if (basis_.holds(i)) basis_.respondToUnit(i, unit_);
    for (Candidate& c : candidates_) {
      if (!basis_.holds(i)) {
        c.key = c.row == i ? 1 : 0;
      } else {
        c.key = c.row < 0 ? unit_[c.column] : basis_.rowResponse(A, unit_, c.row);
      }
      c.key /= c.speed;
    }
    keepSmallestKeys();
  }
}

void Lemke::keepSmallestKeys() {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const Candidate& c : candidates_) {
    smallest = std::min(smallest, c.key);
    largest = std::max(largest, std::abs(c.key));
  }
  const double bound = smallest + kLexicographicTie * largest;
  std::erase_if(candidates_, [&](const Candidate& c) { return c.key > bound; });
}

// f_ of the basis that x_ belongs to; negative rounding is set to 0.
void Lemke::readForces(int n) {
  f_.head(n).setZero();
  for (int p = 0; p < basis_.order(); ++p) {
    const int j = basis_.column(p);
    if (j != LemkeBasis::kCovering && x_[p] > 0 && std::isfinite(x_[p])) f_[j] = x_[p];
  }
}

double Lemke::naturalResidual(const Matrix& A, const Vector& b) {
  auto w = y_.head(b.size());
  w = b;
  for (Eigen::Index j = 0; j < b.size(); ++j) {
    if (f_[j] != 0) w += f_[j] * A.col(j);
  }
  return f_.head(b.size()).cwiseMin(w).cwiseAbs().maxCoeff();
}

}  // namespace tenon::physics
