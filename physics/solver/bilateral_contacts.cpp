// See bilateral_contacts.h.
#include "physics/solver/bilateral_contacts.h"

#include <algorithm>
#include <cmath>

#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

/// Forces this negative, in units of the largest, are rounding.
constexpr double kPullRounding = 1e-12;
/// Compliance in the factors of contacts without any, with friction in addition to their own
/// (ScaledProblem::shift()) [-], and the proximal steps that take it out: redundant contacts would make them
/// singular.
constexpr double kLeastCompliance = 1e-9;
constexpr int kComplianceRemovals = 4;
/// Distance of an active contact that is rounding, relative to max |c| [-].
constexpr double kRounded = 1e-14;
/// Steps of refinement of the linear system.
constexpr int kJointRefinementPasses = 2;
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

// Prepares cones_ for contacts in S that neither separate nor, `sticking`, slide.
void BilateralContacts::treatAsJoints(const ScaledProblem& scaled, bool sticking, double leastCompliance) {
  const Vector3d held = sticking ? Vector3d(1, 1, 1) : Vector3d(1, 0, 0);
  cones_.reset(scaled, leastCompliance);
  for (int k = 0; k < scaled.contacts(); ++k) {
    ConeSystem::Block& at = cones_.block(k);
    at.idle = isActive_[k] == 0;
    at.P = (Vector3d(1, 1, 1) - held).asDiagonal();
    at.Q = held.asDiagonal();
    at.r.setZero();
  }
}

// Forces f_ with z = 0 on S; z_ everywhere.
bool BilateralContacts::solveActive(const ScaledProblem& scaled) {
  treatAsJoints(scaled, false, kLeastCompliance);
  if (!cones_.factorize()) return false;
  std::fill(f_.begin(), f_.end(), 0.0);
  int removals = 0;
  for (int k = 0; k < scaled.contacts(); ++k) {
    z_[3 * k] = scaled.row(k).c;
    if (isActive_[k] != 0 && scaled.shift(k, kLeastCompliance) > 0) removals = kComplianceRemovals;
  }
  for (int pass = 0; pass <= removals; ++pass) {
    double largest = 0;
    for (int k = 0; k < scaled.contacts(); ++k) {
      cones_.block(k).r[0] = isActive_[k] != 0 ? -z_[3 * k] : 0;
      largest = nanMax(largest, std::abs(cones_.block(k).r[0]));
    }
    if (pass > 0 && largest <= kRounded * scaled.scale()) break;
    if (!cones_.solve(x_, kJointRefinementPasses)) return false;
    for (std::size_t k = 0; k < f_.size(); ++k) f_[k] += x_[k];
    scaled.velocity(f_, v_);
    scaled.distances(f_, v_, z_);
  }
  return std::all_of(z_.begin(), z_.end(), [](double z) { return std::isfinite(z); });
}

// False where no contact violates S.
bool BilateralContacts::exchange(double tolerance, Rule rule) {
  double largest = 0;
  for (const double f : f_) largest = std::max(largest, std::abs(f));
  const double noForce = std::max(tolerance, kPullRounding * largest);
  const auto pull = [&](std::size_t k) {
    return isActive_[k] != 0 && f_[3 * k] < -noForce ? -f_[3 * k] : 0.0;
  };
  const auto overlap = [&](std::size_t k) {
    return isActive_[k] == 0 && z_[3 * k] < -tolerance ? -z_[3 * k] : 0.0;
  };
  bool anyPulls = false;
  for (std::size_t k = 0; k < isActive_.size(); ++k) anyPulls = anyPulls || pull(k) > 0;
  double largestViolation = 0;
  std::size_t chosen = 0;
  for (std::size_t k = 0; k < isActive_.size(); ++k) {
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
  for (auto* each : {&f_, &z_, &x_}) each->resize(scaled.size());
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
    for (std::size_t k = 0; k < f_.size(); k += 3)
      residual = nanMax(residual, complementarityError(std::max(0.0, f_[k]), z_[k]));
    return residual <= tolerance ? End::solved : End::rounded;
  }
  return End::failed;
}

bool BilateralContacts::stick(const ScaledProblem& scaled, std::vector<double>& y) {
  treatAsJoints(scaled, true, 0);
  for (int k = 0; k < scaled.contacts(); ++k)
    if (isActive_[k] != 0) cones_.block(k).r << -scaled.row(k).c, -scaled.tangents(k).c;
  return cones_.factorize() && cones_.solve(y, kJointRefinementPasses);
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
  for (int k = 0; hasNormals && k < scaled.contacts(); ++k) y[3 * k] = std::max(0.0, f_[3 * k]);
  report.solved = coulomb_.solve(scaled, y, tolerance, kCoulomb, report.iterations);
  return report;
}

LinearReport BilateralContacts::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  isActive_.resize(scaled.contacts());
  const bool guessed = isGuess(y);
  for (int k = 0; k < scaled.contacts(); ++k) isActive_[k] = guessed ? y[3 * k] > 0 : scaled.row(k).c < 0;
  if (scaled.frictional()) return solveFrictional(scaled, y, tolerance);
  LinearReport report;
  const End end = settleNormals(scaled, tolerance, report.iterations);
  report.solved = end == End::solved;
  for (int k = 0; k < scaled.contacts(); ++k) {
    const double force = end != End::failed ? f_[3 * k] : y[3 * k];
    triple(y, k) << (std::isfinite(force) ? std::max(0.0, force) : 0), 0, 0;
  }
  return report;
}

}  // namespace tenon::physics
