// See central_path.h.
#include "physics/solver/central_path.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "physics/math/nan_max.h"

namespace tenon::physics {
namespace {

constexpr int kIterations = 40;
constexpr double kFirst = 1e-2;      ///< least y and s at the start, of max |c| [-]
constexpr double kLast = 1e-7;       ///< √μ at the end, of max |c| [-]
constexpr double kRest = 1e-9;       ///< largest r at the end, of max |c| [-]
constexpr double kStay = 0.995;      ///< of the way to the nearest boundary [-]
constexpr double kLeastStep = 1e-6;  ///< shorter ones lead nowhere

}  // namespace

void CentralPath::start(const ScaledProblem& form) {
  form.velocity(y_, v_);
  form.distances(y_, v_, z_);
  const double least = kFirst * form.scale();
  for (std::size_t k = 0; k < y_.size(); ++k) {
    y_[k] = std::max(y_[k], least);
    s_[k] = std::max(z_[k], least);
  }
}

double CentralPath::mean() const {
  return std::inner_product(y_.begin(), y_.end(), s_.begin(), 0.0) / static_cast<double>(y_.size());
}

double CentralPath::room() const {
  double most = 1;
  for (std::size_t k = 0; k < y_.size(); ++k) {
    if (dy_[k] < 0) most = std::min(most, -y_[k] / dy_[k]);
    if (ds_[k] < 0) most = std::min(most, -s_[k] / ds_[k]);
  }
  return most;
}

void CentralPath::direction() {
  for (std::size_t k = 0; k < y_.size(); ++k) dy_[k] = target_[k] / y_[k] - r_[k];
  system_.solve(dy_, 0);
  for (std::size_t k = 0; k < y_.size(); ++k) ds_[k] = (target_[k] - s_[k] * dy_[k]) / y_[k];
}

bool CentralPath::follow(const ScaledProblem& form, std::vector<double>& y, int& iterations) {
  const std::size_t count = y.size();
  all_.resize(count);
  std::iota(all_.begin(), all_.end(), 0);
  y_.assign(y.begin(), y.end());
  for (auto* v : {&s_, &r_, &target_, &dy_, &ds_, &shift_, &z_}) v->resize(count);
  v_.resize(form.dimension());
  start(form);
  const double scale = form.scale();
  bool arrived = false;
  for (int pass = 0; pass < kIterations && !arrived; ++pass) {
    form.velocity(y_, v_);
    form.distances(y_, v_, z_);
    double rest = 0;
    for (std::size_t k = 0; k < count; ++k) {
      r_[k] = z_[k] - s_[k];
      rest = nanMax(rest, std::abs(r_[k]));
      shift_[k] = s_[k] / y_[k] + form.row(static_cast<int>(k)).epsilon;
    }
    const double mu = mean();
    if (!std::isfinite(mu)) return false;
    arrived = std::sqrt(mu) <= kLast * scale && rest <= kRest * scale;
    if (arrived) break;
    ++iterations;
    if (!system_.factorize(form, all_, shift_)) break;
    for (std::size_t k = 0; k < count; ++k) target_[k] = -y_[k] * s_[k];
    direction();
    const double reach = room();
    double ahead = 0;
    for (std::size_t k = 0; k < count; ++k) ahead += (y_[k] + reach * dy_[k]) * (s_[k] + reach * ds_[k]);
    ahead /= static_cast<double>(count);
    const double share = std::pow(ahead / mu, 3);
    for (std::size_t k = 0; k < count; ++k) target_[k] += share * mu - dy_[k] * ds_[k];
    direction();
    const double step = std::min(1.0, kStay * room());
    if (!(step > kLeastStep)) break;
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
