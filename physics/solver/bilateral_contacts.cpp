// See bilateral_contacts.h.
#include "physics/solver/bilateral_contacts.h"

#include <algorithm>
#include <cmath>

#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

/// Forces this negative, in units of the largest, are rounding.
constexpr double kNegative = 1e-12;
constexpr int kRefinements = 2;
/// Newton steps from each start, with friction.
constexpr int kConeSteps = 20;

}  // namespace

// By a hash of 64 bits: two sets taken for one would end a search, never falsify an answer.
bool BilateralContacts::wasVisited() {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char active : isActive_) hash = (hash ^ static_cast<unsigned char>(active)) * 1099511628211u;
  if (std::find(visited_.begin(), visited_.end(), hash) != visited_.end()) return true;
  visited_.push_back(hash);
  return false;
}

// Forces f_ with z = 0 on S; z_ everywhere.
bool BilateralContacts::solveActive(const ScaledProblem& form) {
  active_.clear();
  for (int k = 0; k < form.contacts(); ++k)
    if (isActive_[k] != 0) active_.push_back(k);
  shift_.resize(active_.size());
  x_.resize(active_.size());
  for (std::size_t n = 0; n < active_.size(); ++n) {
    shift_[n] = form.row(active_[n]).epsilon;
    x_[n] = -form.row(active_[n]).c;
  }
  if (!system_.factorize(form, active_, shift_)) return false;
  system_.solve(x_, kRefinements);
  std::fill(f_.begin(), f_.end(), 0.0);
  std::fill(v_.begin(), v_.end(), 0.0);
  for (std::size_t n = 0; n < active_.size(); ++n) {
    f_[active_[n]] = x_[n];
    for (const ScaledProblem::Entry& entry : form.entries(active_[n]))
      block(std::span(v_), entry.block) += x_[n] * entry.h;
  }
  for (int k = 0; k < form.contacts(); ++k)
    z_[k] = form.row(k).c + form.normalComponent(k, v_) + form.row(k).epsilon * f_[k];
  return std::all_of(z_.begin(), z_.end(), [](double z) { return std::isfinite(z); });
}

// False where nothing is wrong with S.
bool BilateralContacts::exchange(double tolerance, Rule rule) {
  double largest = 0;
  for (const double f : f_) largest = std::max(largest, std::abs(f));
  const double noForce = std::max(tolerance, kNegative * largest);
  const auto pull = [&](std::size_t k) { return isActive_[k] != 0 && f_[k] < -noForce ? -f_[k] : 0.0; };
  const auto overlap = [&](std::size_t k) { return isActive_[k] == 0 && z_[k] < -tolerance ? -z_[k] : 0.0; };
  bool anyPulls = false;
  for (std::size_t k = 0; k < f_.size(); ++k) anyPulls = anyPulls || pull(k) > 0;
  double most = 0;
  std::size_t chosen = 0;
  for (std::size_t k = 0; k < f_.size(); ++k) {
    const bool counts = rule == Rule::first || !anyPulls;
    const double wrong = std::max(pull(k), counts ? overlap(k) : 0.0);
    if (!(wrong > (rule == Rule::worst ? most : 0.0))) continue;
    most = wrong;
    chosen = k;
    if (rule == Rule::first) break;
    if (rule == Rule::all) isActive_[k] ^= 1;
  }
  if (most > 0 && rule != Rule::all) isActive_[chosen] ^= 1;
  return most > 0;
}

BilateralContacts::End BilateralContacts::settleNormals(const ScaledProblem& form, double tolerance,
                                                        int& iterations) {
  f_.resize(form.contacts());
  z_.resize(form.contacts());
  v_.resize(form.dimension());
  visited_.clear();
  visited_.reserve(kMaxSets);
  Rule rule = Rule::all;
  for (int sets = 0; sets < kMaxSets; ++sets) {
    if (wasVisited()) {
      if (rule == Rule::first) return End::lost;
      rule = rule == Rule::all ? Rule::worst : Rule::first;
      visited_.clear();
    }
    ++iterations;
    if (!solveActive(form)) return End::lost;
    if (exchange(tolerance, rule)) continue;
    double residual = 0;
    for (std::size_t k = 0; k < f_.size(); ++k)
      residual = nanMax(residual, complementarityError(std::max(0.0, f_[k]), z_[k]));
    return residual <= tolerance ? End::solved : End::rounded;
  }
  return End::lost;
}

bool BilateralContacts::stick(const ScaledProblem& form, std::vector<double>& y) {
  cones_.reset(form);
  for (int k = 0; k < form.contacts(); ++k) {
    ConeSystem::Block& at = cones_.block(k);
    at.idle = isActive_[k] == 0;
    at.P.setZero();
    at.Q.setIdentity();
    at.r << -form.row(k).c, -form.tangents(k).c;
    if (at.idle) {
      at.P.setIdentity();
      at.Q.setZero();
      at.r.setZero();
    } else if (!(form.tangents(k).mu > 0)) {
      at.P(1, 1) = at.P(2, 2) = 1;
      at.Q(1, 1) = at.Q(2, 2) = 0;
      at.r.tail<2>().setZero();
    }
  }
  return cones_.solve(y, 1);
}

LinearReport BilateralContacts::solveFrictional(const ScaledProblem& form, std::vector<double>& y,
                                                double tolerance) {
  LinearReport report;
  report.solved = coulomb_.settle(form, y, tolerance, kConeSteps, report.iterations);
  if (report.solved) return report;
  const bool smooth = settleNormals(form, tolerance, report.iterations) != End::lost;
  report.solved = stick(form, y) && coulomb_.settle(form, y, tolerance, kConeSteps, report.iterations);
  if (report.solved) return report;
  std::fill(y.begin(), y.end(), 0.0);
  for (int k = 0; smooth && k < form.contacts(); ++k) y[3 * k] = std::max(0.0, f_[k]);
  report.solved = coulomb_.settle(form, y, tolerance, kConeSteps, report.iterations);
  return report;
}

LinearReport BilateralContacts::solve(const ScaledProblem& form, std::vector<double>& y, double tolerance) {
  const std::size_t stride = form.frictional() ? 3 : 1;
  isActive_.resize(form.contacts());
  bool guessed = false;
  for (int k = 0; k < form.contacts(); ++k) {
    isActive_[k] = y[stride * k] > 0;
    guessed = guessed || isActive_[k] != 0;
  }
  for (int k = 0; !guessed && k < form.contacts(); ++k) isActive_[k] = form.row(k).c < 0;
  if (form.frictional()) return solveFrictional(form, y, tolerance);
  LinearReport report;
  const End end = settleNormals(form, tolerance, report.iterations);
  report.solved = end == End::solved;
  for (int k = 0; k < form.contacts(); ++k) {
    const double force = end != End::lost ? f_[k] : y[k];
    y[k] = std::isfinite(force) ? std::max(0.0, force) : 0;
  }
  return report;
}

}  // namespace tenon::physics
