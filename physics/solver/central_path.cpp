// See central_path.h.
#include "physics/solver/central_path.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "physics/math/nan_max.h"

namespace tenon::physics {
namespace {

constexpr int kMaxPathSteps = 40;
constexpr double kFirstInterior = 1e-2;      ///< smallest y and s at the start, relative to max |c| [-]
constexpr double kLastRootMu = 1e-7;         ///< √μ at the end, relative to max |c| [-]
constexpr double kMaxResidual = 1e-9;        ///< largest r at the end, relative to max |c| [-]
constexpr double kBoundaryFraction = 0.995;  ///< fraction of the step to the nearest boundary [-]
constexpr double kMinPathStep = 1e-6;        ///< shorter steps make no progress [-]

}  // namespace

void CentralPath::start(const ScaledProblem& scaled) {
  scaled.velocity(y_, v_);
  scaled.distances(y_, v_, z_);
  const double smallest = kFirstInterior * scaled.scale();
  for (std::size_t k = 0; k < y_.size(); ++k) {
    y_[k] = std::max(y_[k], smallest);
    s_[k] = std::max(z_[k], smallest);
  }
}

double CentralPath::mean() const {
  return std::inner_product(y_.begin(), y_.end(), s_.begin(), 0.0) / static_cast<double>(y_.size());
}

double CentralPath::maxStep() const {
  double longest = 1;
  for (std::size_t k = 0; k < y_.size(); ++k) {
    if (dy_[k] < 0) longest = std::min(longest, -y_[k] / dy_[k]);
    if (ds_[k] < 0) longest = std::min(longest, -s_[k] / ds_[k]);
  }
  return longest;
}

void CentralPath::direction() {
  for (std::size_t k = 0; k < y_.size(); ++k) dy_[k] = target_[k] / y_[k] - r_[k];
  system_.solve(dy_, 0);
  for (std::size_t k = 0; k < y_.size(); ++k) ds_[k] = (target_[k] - s_[k] * dy_[k]) / y_[k];
}

bool CentralPath::follow(const ScaledProblem& scaled, std::vector<double>& y, int& iterations) {
  const std::size_t count = y.size();
  all_.resize(count);
  std::iota(all_.begin(), all_.end(), 0);
  y_.assign(y.begin(), y.end());
  for (auto* v : {&s_, &r_, &target_, &dy_, &ds_, &shift_, &z_}) v->resize(count);
  v_.resize(scaled.dimension());
  start(scaled);
  const double scale = scaled.scale();
  bool arrived = false;
  for (int pass = 0; pass < kMaxPathSteps && !arrived; ++pass) {
    scaled.velocity(y_, v_);
    scaled.distances(y_, v_, z_);
    double residual = 0;
    for (std::size_t k = 0; k < count; ++k) {
      r_[k] = z_[k] - s_[k];
      residual = nanMax(residual, std::abs(r_[k]));
      shift_[k] = s_[k] / y_[k] + scaled.row(static_cast<int>(k)).epsilon;
    }
    const double mu = mean();
    if (!std::isfinite(mu)) return false;
    arrived = std::sqrt(mu) <= kLastRootMu * scale && residual <= kMaxResidual * scale;
    if (arrived) break;
    ++iterations;
    if (!system_.factorize(scaled, all_, shift_)) break;
    for (std::size_t k = 0; k < count; ++k) target_[k] = -y_[k] * s_[k];
    direction();
    const double predictorStep = maxStep();
    double predictedMu = 0;
    for (std::size_t k = 0; k < count; ++k)
      predictedMu += (y_[k] + predictorStep * dy_[k]) * (s_[k] + predictorStep * ds_[k]);
    predictedMu /= static_cast<double>(count);
    const double centering = std::pow(predictedMu / mu, 3);
    for (std::size_t k = 0; k < count; ++k) target_[k] += centering * mu - dy_[k] * ds_[k];
    direction();
    const double step = std::min(1.0, kBoundaryFraction * maxStep());
    if (!(step > kMinPathStep)) break;
    for (std::size_t k = 0; k < count; ++k) {
      y_[k] += step * dy_[k];
      s_[k] += step * ds_[k];
    }
  }
  for (std::size_t k = 0; k < count; ++k)
    if (std::isfinite(y_[k])) y[k] = y_[k];
  return arrived;
}

}  // namespace tenon::physics
