// See bilateral_contacts.h.
#include "physics/solver/bilateral_contacts.h"

#include <algorithm>
#include <cmath>

#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

/// Forces this negative, in units of the largest, are rounding.
constexpr double kPullRounding = 1e-12;
constexpr int kNormalRefinements = 2;
/// Compliance in the factors of contacts without any [-], and the proximal steps that take it out: redundant
/// contacts would make them singular.
constexpr double kLeastShift = 1e-9;
constexpr int kShiftRemovals = 4;
/// Accuracy of the forces of sticking contacts [-].
constexpr double kStickingAccuracy = 1e-8;
/// The Newton method from each start, with friction.
constexpr ProximalNewton::Options kCoulomb{1e-9, 20, 0};

}  // namespace

// By a hash of 64 bits: a collision would end the search, never falsify an answer.
bool BilateralContacts::wasVisited() {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char active : isActive_) hash = (hash ^ static_cast<unsigned char>(active)) * 1099511628211u;
  if (std::find(visited_.begin(), visited_.end(), hash) != visited_.end()) return true;
  visited_.push_back(hash);
  return false;
}

// Forces f_ with z = 0 on S; z_ everywhere.
bool BilateralContacts::solveActive(const ScaledProblem& scaled) {
  active_.clear();
  for (int k = 0; k < scaled.contacts(); ++k)
    if (isActive_[k] != 0) active_.push_back(k);
  int removals = 0;
  shift_.resize(active_.size());
  x_.resize(active_.size());
  for (std::size_t n = 0; n < active_.size(); ++n) {
    shift_[n] = std::max(scaled.row(active_[n]).epsilon, kLeastShift);
    x_[n] = -scaled.row(active_[n]).c;
    removals = scaled.row(active_[n]).epsilon < kLeastShift ? kShiftRemovals : removals;
  }
  if (!system_.factorize(scaled, active_, shift_)) return false;
  std::fill(f_.begin(), f_.end(), 0.0);
  std::fill(v_.begin(), v_.end(), 0.0);
  for (int pass = 0; pass <= removals; ++pass) {
    system_.solve(x_, kNormalRefinements);
    for (std::size_t n = 0; n < active_.size(); ++n) {
      f_[active_[n]] += x_[n];
      for (const ScaledProblem::Entry& entry : scaled.entries(active_[n]))
        block(std::span(v_), entry.block) += x_[n] * entry.h;
    }
    for (int k = 0; k < scaled.contacts(); ++k)
      z_[k] = scaled.row(k).c + scaled.forceComponent(k, v_) + scaled.row(k).epsilon * f_[k];
    for (std::size_t n = 0; n < active_.size(); ++n) x_[n] = -z_[active_[n]];
  }
  return std::all_of(z_.begin(), z_.end(), [](double z) { return std::isfinite(z); });
}

// False where no contact violates S.
bool BilateralContacts::exchange(double tolerance, Rule rule) {
  double largest = 0;
  for (const double f : f_) largest = std::max(largest, std::abs(f));
  const double noForce = std::max(tolerance, kPullRounding * largest);
  const auto pull = [&](std::size_t k) { return isActive_[k] != 0 && f_[k] < -noForce ? -f_[k] : 0.0; };
  const auto overlap = [&](std::size_t k) { return isActive_[k] == 0 && z_[k] < -tolerance ? -z_[k] : 0.0; };
  bool anyPulls = false;
  for (std::size_t k = 0; k < f_.size(); ++k) anyPulls = anyPulls || pull(k) > 0;
  double largestViolation = 0;
  std::size_t chosen = 0;
  for (std::size_t k = 0; k < f_.size(); ++k) {
    const bool counts = rule == Rule::first || !anyPulls;
    const double violation = std::max(pull(k), counts ? overlap(k) : 0.0);
    if (!(violation > (rule == Rule::mostViolated ? largestViolation : 0.0))) continue;
    largestViolation = violation;
    chosen = k;
    if (rule == Rule::first) break;
    if (rule == Rule::all) isActive_[k] ^= 1;
  }
  if (largestViolation > 0 && rule != Rule::all) isActive_[chosen] ^= 1;
  return largestViolation > 0;
}

BilateralContacts::End BilateralContacts::settleNormals(const ScaledProblem& scaled, double tolerance,
                                                        int& iterations) {
  f_.resize(scaled.contacts());
  z_.resize(scaled.contacts());
  v_.resize(scaled.dimension());
  visited_.clear();
  visited_.reserve(kMaxSets);
  Rule rule = Rule::all;
  for (int sets = 0; sets < kMaxSets; ++sets) {
    if (wasVisited()) {
      if (rule == Rule::first) return End::failed;
      rule = rule == Rule::all ? Rule::mostViolated : Rule::first;
      visited_.clear();
    }
    ++iterations;
    if (!solveActive(scaled)) return End::failed;
    if (exchange(tolerance, rule)) continue;
    double residual = 0;
    for (std::size_t k = 0; k < f_.size(); ++k)
      residual = nanMax(residual, complementarityError(std::max(0.0, f_[k]), z_[k]));
    return residual <= tolerance ? End::solved : End::rounded;
  }
  return End::failed;
}

bool BilateralContacts::stick(const ScaledProblem& scaled, std::vector<double>& y) {
  cones_.reset(scaled);
  for (int k = 0; k < scaled.contacts(); ++k) {
    ConeSystem::Block& at = cones_.block(k);
    at.idle = isActive_[k] == 0;
    at.P.setZero();
    at.Q.setIdentity();
    at.r << -scaled.row(k).c, -scaled.tangents(k).c;
    if (at.idle) {
      at.P.setIdentity();
      at.Q.setZero();
      at.r.setZero();
    } else if (!(scaled.tangents(k).mu > 0)) {
      at.P(1, 1) = at.P(2, 2) = 1;
      at.Q(1, 1) = at.Q(2, 2) = 0;
      at.r.tail<2>().setZero();
    }
  }
  return cones_.factorize() && cones_.solve(y, 1, kStickingAccuracy);
}

LinearReport BilateralContacts::solveFrictional(const ScaledProblem& scaled, std::vector<double>& y,
                                                double tolerance) {
  LinearReport report;
  report.solved = coulomb_.solve(scaled, y, tolerance, kCoulomb, report.iterations);
  if (report.solved) return report;
  const bool hasNormals = settleNormals(scaled, tolerance, report.iterations) != End::failed;
  report.solved = stick(scaled, y) && coulomb_.solve(scaled, y, tolerance, kCoulomb, report.iterations);
  if (report.solved) return report;
  std::fill(y.begin(), y.end(), 0.0);
  for (int k = 0; hasNormals && k < scaled.contacts(); ++k) y[3 * k] = std::max(0.0, f_[k]);
  report.solved = coulomb_.solve(scaled, y, tolerance, kCoulomb, report.iterations);
  return report;
}

LinearReport BilateralContacts::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  isActive_.resize(scaled.contacts());
  bool guessed = false;
  for (int k = 0; k < scaled.contacts(); ++k) {
    isActive_[k] = y[scaled.stride() * k] > 0;
    guessed = guessed || isActive_[k] != 0;
  }
  for (int k = 0; !guessed && k < scaled.contacts(); ++k) isActive_[k] = scaled.row(k).c < 0;
  if (scaled.frictional()) return solveFrictional(scaled, y, tolerance);
  LinearReport report;
  const End end = settleNormals(scaled, tolerance, report.iterations);
  report.solved = end == End::solved;
  for (int k = 0; k < scaled.contacts(); ++k) {
    const double force = end != End::failed ? f_[k] : y[k];
    y[k] = std::isfinite(force) ? std::max(0.0, force) : 0;
  }
  return report;
}

}  // namespace tenon::physics
