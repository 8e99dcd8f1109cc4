// See conic_interior_point.h.
#include "physics/solver/conic_interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/contact/coulomb_law.h"
#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

constexpr double kSmoothing = 0.02;         ///< σ relative to m/ŷ_0 [-]
constexpr double kLeastSmoothing = 1e-16;   ///< σ relative to max |c| [-]
constexpr double kInteriorFraction = 0.99;  ///< fraction of the step to the nearest boundary [-]
constexpr double kShortestStep = 1e-8;      ///< shorter steps make no progress [-]
constexpr double kAccuracy = 1e-3;          ///< of a direction [-]
/// Largest centering [-]: a predictor that gets nowhere in this nonmonotone problem needs more.
constexpr double kMaxCentering = 1.0;

/// Gap at which Newton's method is first tried from an interior point, relative to the square of max |c|, and
/// the factor on it after each attempt [-].
constexpr double kFirstFinish = 1e-4, kNextFinish = 1e-2;
/// Steps of the interior point method; more bodies than kManyBlocks need more.
constexpr int kInteriorSteps = 80, kManyInteriorSteps = 200, kManyBlocks = 200;
/// Steps in which the gap must fall by this factor, or the path ends.
constexpr int kStalledSteps = 15;
constexpr double kGapProgress = 0.5;
/// Interior start from a guess, and from zero, relative to max |c| [-].
constexpr double kWarmShift = 0.1, kColdShift = 1;

/// x_0² − |x_t|², without cancellation.
double coneMeasure(const Vector3d& x) {
  const double t = x.tail<2>().norm();
  return (x[0] - t) * (x[0] + t);
}

/// λ⁻¹ ∘ r.
Vector3d jordanDivide(const Vector3d& lambda, const Vector3d& r) {
  Vector3d q;
  q[0] = (lambda[0] * r[0] - lambda.tail<2>().dot(r.tail<2>())) / coneMeasure(lambda);
  q.tail<2>() = (r.tail<2>() - q[0] * lambda.tail<2>()) / lambda[0];
  return q;
}

Vector3d jordanProduct(const Vector3d& a, const Vector3d& b) {
  Vector3d product;
  product[0] = a.dot(b);
  product.tail<2>() = a[0] * b.tail<2>() + b[0] * a.tail<2>();
  return product;
}

/// The largest α ≤ 1 with x + α d in the cone.
double stepToCone(const Vector3d& x, const Vector3d& d) {
  double longest = 1;
  if (d[0] < 0) longest = std::min(longest, -x[0] / d[0]);
  // |x_t + α d_t|² = (x_0 + α d_0)².
  const double a = d[0] * d[0] - d.tail<2>().squaredNorm();
  const double b = x[0] * d[0] - x.tail<2>().dot(d.tail<2>());
  const double c = coneMeasure(x);
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0)) return longest;
  const double root = std::sqrt(discriminant);
  // The smallest positive zero of c + 2 b α + a α², by the form without cancellation.
  const double q = b < 0 ? -b + root : -(b + root);
  for (const double alpha : {c / q, q / a})
    if (alpha > 0) longest = std::min(longest, alpha);
  return longest;
}

}  // namespace

void ConicInteriorPoint::start(const ScaledProblem& scaled, const std::vector<double>& y, double shift) {
  const auto count = static_cast<std::size_t>(scaled.contacts());
  contacts_.resize(count);
  slack_.resize(count);
  dSlack_.resize(count);
  v_.resize(scaled.dimension());
  dv_.resize(scaled.dimension());
  z_.resize(scaled.size());
  step_.resize(scaled.size());
  y_.assign(y.begin(), y.end());
  for (std::size_t k = 0; k < count; ++k) {
    const double mu = scaled.tangents(static_cast<int>(k)).mu;
    double* yk = y_.data() + 3 * k;
    if (!(mu > 0)) yk[1] = yk[2] = 0;  // may be left of a guess
    contacts_[k].mu = mu > 0 ? mu : 1;
    yk[0] = std::max(yk[0], std::hypot(yk[1], yk[2]) / contacts_[k].mu) + shift;
  }
  scaled.velocity(y_, v_);
  scaled.distances(y_, v_, z_);
  for (std::size_t k = 0; k < count; ++k) slack_[k] = std::max(z_[3 * k], 0.0) + shift;
  gap_ = shift * shift;
  evaluate(scaled);
}

// The point's z, ŷ, ẑ and B; the smoothing follows the gap of the last point.
void ConicInteriorPoint::evaluate(const ScaledProblem& scaled) {
  scaled.velocity(y_, v_);
  scaled.distances(y_, v_, z_);
  residual_ = 0;
  double sum = 0;
  for (int k = 0; k < scaled.contacts(); ++k) {
    Contact& at = contacts_[k];
    const double mu = scaled.tangents(k).mu;
    const Vector3d y = triple(y_, k), z = triple(z_, k);
    residual_ = nanMax(residual_, coulombErrorSize(y, z, mu, 1));
    at.gapResidual = z[0] - slack_[k];
    at.y << at.mu * y[0], y.tail<2>();
    const double sigma = mu > 0 ? std::max(kLeastSmoothing * scaled.scale(), kSmoothing * gap_ / at.y[0]) : 0;
    const double phi = std::hypot(z.tail<2>().norm(), sigma);
    at.z << slack_[k] / at.mu + phi, z.tail<2>();
    at.B.setIdentity();
    at.B(0, 0) = 1 / at.mu;
    if (mu > 0) at.B.block<1, 2>(0, 1) = z.tail<2>().transpose() / phi;
    sum += at.y.dot(at.z);
  }
  gap_ = sum / static_cast<double>(contacts_.size());
}

// W and λ of each contact; false where rounding has left the cone.
bool ConicInteriorPoint::scale() {
  for (Contact& at : contacts_) {
    const double ofY = coneMeasure(at.y), ofZ = coneMeasure(at.z);
    if (!(ofY > 0) || !(ofZ > 0)) return false;
    const Vector3d y = at.y / std::sqrt(ofY), z = at.z / std::sqrt(ofZ);
    const double gamma = std::sqrt(0.5 * (1 + y.dot(z)));
    Vector3d w;
    w << (z[0] + y[0]) / (2 * gamma), (z.tail<2>() - y.tail<2>()) / (2 * gamma);
    const double eta = std::sqrt(std::sqrt(ofZ / ofY));
    Matrix3d V;
    V(0, 0) = w[0];
    V.block<2, 1>(1, 0) = w.tail<2>();
    V.block<1, 2>(0, 1) = w.tail<2>().transpose();
    V.block<2, 2>(1, 1) = Eigen::Matrix2d::Identity() + w.tail<2>() * w.tail<2>().transpose() / (1 + w[0]);
    at.W = eta * V;
    V.block<2, 1>(1, 0) = -w.tail<2>();
    V.block<1, 2>(0, 1) = -w.tail<2>().transpose();
    at.inverse = V / eta;
    at.lambda = at.W * at.y;
    if (!at.W.allFinite() || !at.inverse.allFinite()) return false;
  }
  return true;
}

// Right sides of λ ∘ (W dŷ + W⁻¹ dẑ) = target − λ ∘ λ, less (W dŷ) ∘ (W⁻¹ dẑ) of the last direction where
// the step `corrects`.
void ConicInteriorPoint::setTarget(double target, bool corrects) {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& at = contacts_[k];
    ConeSystem::Block& out = system_.block(static_cast<int>(k));
    Vector3d r = -jordanProduct(at.lambda, at.lambda);
    r[0] += target;
    if (corrects) r -= jordanProduct(at.W * at.dy, at.inverse * at.dz);
    out.r = jordanDivide(at.lambda, r) - out.Q.col(0) * at.gapResidual;
  }
}

bool ConicInteriorPoint::direction(const ScaledProblem& scaled) {
  if (!system_.solve(step_, 1, kAccuracy)) return false;
  scaled.velocity(step_, dv_);
  for (int k = 0; k < scaled.contacts(); ++k) {
    Contact& at = contacts_[k];
    const Vector3d along = scaled.components(k, dv_);
    dSlack_[k] = along[0] + scaled.row(k).epsilon * step_[3 * k] + at.gapResidual;
    at.dy << at.mu * step_[3 * k], step_[3 * k + 1], step_[3 * k + 2];
    Vector3d change;
    change << dSlack_[k], along.tail<2>() + scaled.tangents(k).epsilon * at.dy.tail<2>();
    at.dz = at.B * change;
  }
  return true;
}

double ConicInteriorPoint::longestStep() const {
  double longest = 1;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& at = contacts_[k];
    if (dSlack_[k] < 0) longest = std::min(longest, -slack_[k] / dSlack_[k]);
    longest = std::min(longest, stepToCone(at.y, at.dy));
  }
  return longest;
}

bool ConicInteriorPoint::advance(const ScaledProblem& scaled) {
  if (!std::isfinite(gap_) || !std::isfinite(residual_) || !scale()) return false;
  system_.reset(scaled);
  for (int k = 0; k < scaled.contacts(); ++k) {
    const Contact& at = contacts_[k];
    ConeSystem::Block& out = system_.block(k);
    out.idle = false;
    out.P = at.W;
    out.P.col(0) *= at.mu;
    out.Q = at.inverse * at.B;
  }
  if (!system_.factorize()) return false;
  setTarget(0, false);
  if (!direction(scaled)) return false;
  const double affine = longestStep();
  double predicted = 0;
  for (const Contact& at : contacts_) predicted += (at.y + affine * at.dy).dot(at.z + affine * at.dz);
  predicted /= static_cast<double>(contacts_.size());
  const double ratio = std::min(kMaxCentering, std::max(0.0, predicted / gap_));
  setTarget(ratio * ratio * ratio * gap_, true);
  if (!direction(scaled)) return false;
  const double length = std::min(1.0, kInteriorFraction * longestStep());
  if (!(length > kShortestStep)) return false;
  for (std::size_t k = 0; k < y_.size(); ++k) y_[k] += length * step_[k];
  for (std::size_t k = 0; k < slack_.size(); ++k) slack_[k] += length * dSlack_[k];
  evaluate(scaled);
  return true;
}

bool ConicPath::solve(const ScaledProblem& scaled, std::vector<double>& y, bool guessed, double tolerance,
                      int& iterations) {
  const double scale = scaled.scale();
  least_.reset(y);
  if (guessed && follow(scaled, y, tolerance, kWarmShift * scale, iterations)) return true;
  y.assign(scaled.size(), 0.0);
  if (follow(scaled, y, tolerance, kColdShift * scale, iterations)) return true;
  y.assign(least_.forces().begin(), least_.forces().end());
  removePulls(y);
  return false;
}

bool ConicPath::follow(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, double shift,
                       int& iterations) {
  interior_.start(scaled, y, shift);
  path_.reset(y);
  double finish = kFirstFinish * scaled.scale() * scaled.scale();
  double leastGap = std::numeric_limits<double>::infinity();
  int lastProgress = 0;
  const int limit = scaled.blocks() > kManyBlocks ? kManyInteriorSteps : kInteriorSteps;
  for (int pass = 0; pass < limit; ++pass) {
    ++iterations;
    if (!interior_.advance(scaled) || pass - lastProgress >= kStalledSteps) break;
    if (interior_.gap() <= kGapProgress * leastGap) {
      leastGap = interior_.gap();
      lastProgress = pass;
    }
    path_.note(interior_.forces(), interior_.residual());
    if (path_.residual() <= tolerance) {
      y.assign(path_.forces().begin(), path_.forces().end());
      return true;
    }
    if (!(interior_.gap() <= finish)) continue;
    finish = kNextFinish * interior_.gap();
    if (end(scaled, interior_.forces(), y, tolerance, iterations)) return true;
  }
  least_.note(path_);
  return end(scaled, path_.forces(), y, tolerance, iterations);
}

bool ConicPath::end(const ScaledProblem& scaled, const std::vector<double>& from, std::vector<double>& y,
                    double tolerance, int& iterations) {
  trial_.assign(from.begin(), from.end());
  if (!newton_.solve(scaled, trial_, tolerance, ProximalNewton::kFinish, iterations)) return false;
  y.assign(trial_.begin(), trial_.end());
  return true;
}

}  // namespace tenon::physics
