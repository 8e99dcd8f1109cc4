// See bilateral_newton.h.
#include "physics/solver/lcp/bilateral_newton.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

constexpr double kSetEpsilon = 1e-9;  ///< relative to 1: regularizes redundant rows, see subset_system.h
/// Negative forces up to this are rounding, relative to the largest.
constexpr double kPullLimit = 1e-12;

constexpr std::string_view kSetReturned = "cycled: the same set of active contacts returned";
constexpr std::string_view kContradiction = "the active contacts contradict each other";

}  // namespace

std::string_view BilateralNewton::unsupported(const DenseProblem& problem) const {
  return problem.frictional() ? dense_reason::kFriction : std::string_view();
}

void BilateralNewton::reserveOwn(int size) {
  system_.reserve(size);
  isActive_.resize(size);
  active_.reserve(size);
  visited_.reserve(maxSets_);
  w_.resize(size);
}

// By a hash of 64 bits: a collision would end the search, never falsify an answer.
bool BilateralNewton::wasVisited() {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char active : isActive_) hash = (hash ^ static_cast<unsigned char>(active)) * 1099511628211u;
  if (std::find(visited_.begin(), visited_.end(), hash) != visited_.end()) return true;
  visited_.push_back(hash);
  return false;
}

// Negative forces are removed first; only if there are none, violated rows are added.
BilateralNewton::Change BilateralNewton::change(const DenseProblem& problem, double absoluteTolerance,
                                                bool oneAtATime, const Eigen::VectorXd& f) {
  const double noForce = std::max(absoluteTolerance, kPullLimit * f.cwiseAbs().maxCoeff());
  for (const bool leaving : {true, false}) {
    int worst = -1;
    double size = leaving ? noForce : absoluteTolerance;
    Change change = Change::none;
    for (int k = 0; k < problem.size(); ++k) {
      if (problem.isJoint(k) || (isActive_[k] != 0) != leaving) continue;
      const double wrong = leaving ? -f[k] : -w_[k];
      if (!(wrong > (oneAtATime ? size : leaving ? noForce : absoluteTolerance))) continue;
      change = Change::made;
      if (oneAtATime) {
        size = wrong;
        worst = k;
      } else {
        isActive_[k] ^= 1;
      }
    }
    if (worst >= 0) isActive_[worst] ^= 1;
    if (change == Change::made) return change;
  }
  return Change::none;
}

ScaledSolver::Attempt BilateralNewton::attempt(const DenseProblem& scaled, double absoluteTolerance,
                                               Eigen::VectorXd& f) {
  const int n = scaled.size();
  for (int k = 0; k < n; ++k) isActive_[k] = scaled.isJoint(k) || scaled.b[k] < 0;
  visited_.clear();
  bool oneAtATime = false;
  for (int iteration = 1; iteration <= maxSets_; ++iteration) {
    if (wasVisited()) {
      if (oneAtATime) return {iteration, kSetReturned};
      oneAtATime = true;
      visited_.clear();
    }
    active_.clear();
    for (int k = 0; k < n; ++k)
      if (isActive_[k] != 0) active_.push_back(k);
    const bool solved = system_.solve(scaled.A, scaled.b, active_, kSetEpsilon, absoluteTolerance, f);
    w_ = scaled.b;
    for (const int k : active_) w_ += f[k] * scaled.A.col(k);
    if (!w_.allFinite()) {
      f.setZero();
      return {iteration, kContradiction};
    }
    if (change(scaled, absoluteTolerance, oneAtATime, f) == Change::none)
      return {iteration, solved ? std::string_view() : kContradiction};
  }
  return {maxSets_, dense_reason::kLimit};
}

}  // namespace tenon::physics
