// See proximal_newton.h.
#include "physics/solver/proximal_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "physics/contact/coulomb_law.h"
#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

/// Factors on ε from one reference to the next, after kEasySteps, kHarderSteps and more steps [-].
constexpr double kReduction = 0.1, kHarderReduction = 0.3;
constexpr int kEasySteps = 3, kHarderSteps = 6;
constexpr double kLeastEpsilon = 1e-9;  ///< ε is not reduced below this: rounding of the factors [-]
/// Where a problem diverges: factor on ε, the smallest reduction that follows, and the factor on this bound
/// from one reference to the next [-]. Where contacts share a load redundantly, forces move by
/// |residual|/ε from one reference to the next: too small an ε leads into a cycle of contact modes.
constexpr double kBackOff = 10, kCautious = 0.6, kBolder = 0.6;
constexpr double kNewtonDivergence =
    1e3;  ///< residual that ends a problem, relative to the first one and max |c| [-]
/// Newton's method itself, for one step.
constexpr ProximalNewton::Options kOneStep{kLeastEpsilon, 1, 0};
/// Factorizations between two references, with friction and without.
constexpr int kStepsPerReference = 8, kConvexStepsPerReference = 60;
/// Steps of refinement; more for what may be the last step of a problem without friction, where no further
/// one corrects it: heavy bodies on light ones need more than two.
constexpr int kStepRefinements = 1, kLastRefinements = 6;
/// Rise of φ at the end of a step, of its fall at the beginning, up to which the whole step is taken [-];
/// bisections of the search at most, and the interval at which it ends, relative to the step [-].
constexpr double kWholeStepSlope = 0.5, kSearchInterval = 1e-3;
constexpr int kBisections = 40;
/// Successive references without this reduction of the least residual, after which contacts count as locked.
constexpr int kLockedReferences = 4;
constexpr double kReferenceProgress = 0.5;
/// Residual that rounding leaves, relative to the largest force [-].
constexpr double kRounding = 1e-15;

double reductionAfter(int steps) {
  return steps <= kEasySteps ? kReduction : steps <= kHarderSteps ? kHarderReduction : 1;
}

/// P, Q and r of a contact that slides.
void slide(const Vector3d& y, const Vector3d& z, double mu, ConeSystem::Block& out) {
  const double n = y[0] - z[0];
  const Eigen::Vector2d s = y.tail<2>() - z.tail<2>();
  const double length = s.norm();
  const Eigen::Vector2d direction = s / length;
  const Eigen::Matrix2d projector =
      mu * n / length * (Eigen::Matrix2d::Identity() - direction * direction.transpose());
  out.P.setZero();
  out.Q.setZero();
  out.Q(0, 0) = 1;
  out.P.block<2, 1>(1, 0) = -mu * direction;
  out.P.block<2, 2>(1, 1) = Eigen::Matrix2d::Identity() - projector;
  out.Q.block<2, 1>(1, 0) = mu * direction;
  out.Q.block<2, 2>(1, 1) = projector;
  out.r << -z[0], mu * n * direction - y.tail<2>();
}

bool isUnloaded(std::span<const double> y, int k) {
  return y[3 * k] == 0 && y[3 * k + 1] == 0 && y[3 * k + 2] == 0;
}

}  // namespace

void removePulls(std::vector<double>& y) {
  for (std::size_t k = 0; k < y.size(); k += 3)
    if (!(y[k] > 0) || !std::isfinite(y[k] + y[k + 1] + y[k + 2])) y[k] = y[k + 1] = y[k + 2] = 0;
}

ProximalNewton::Residual ProximalNewton::evaluate(const ScaledProblem& scaled, double epsilon,
                                                  bool atReference) {
  scaled.velocity(y_, v_);
  Residual residual;
  for (int k = 0; k < scaled.contacts(); ++k) {
    const double mu = scaled.tangents(k).mu;
    // A contact that neither presses nor did, apart: the law holds, whatever its tangents do. Most are so.
    if (mu > 0 && isUnloaded(y_, k) && (atReference || isUnloaded(reference_, k)))
      if (const double z = scaled.row(k).c + scaled.normalComponent(k, v_); z > 0) {
        triple(z_, k) << z, 0, 0;
        continue;
      }
    scaled.distance(k, y_, v_, z_);
    if (!(mu > 0)) {  // the same in one row
      const double y = y_[3 * k];
      double& z = z_[3 * k];
      residual.own = nanMax(residual.own, complementarityError(y, z));
      if (!atReference) z += scaled.shift(k, epsilon) * (y - reference_[3 * k]);
      residual.shifted = nanMax(residual.shifted, complementarityError(y, z));
      continue;
    }
    const Vector3d y = triple(y_, k), own = triple(z_, k);
    residual.own = nanMax(residual.own, coulombErrorSize(y, own, mu, 1));
    if (atReference) continue;
    const Vector3d z = own + scaled.shift(k, epsilon) * (y - triple(reference_, k));
    residual.shifted = nanMax(residual.shifted, coulombErrorSize(y, z, mu, 1));
    triple(z_, k) = z;
  }
  if (atReference) {
    residual.shifted = residual.own;
    isDamped_ = false;
  }
  return residual;
}

void ProximalNewton::linearize(const ScaledProblem& scaled, double epsilon) {
  for (int k = 0; k < scaled.contacts(); ++k) {
    ConeSystem::Block& at = system_.block(k);
    const Vector3d y = triple(y_, k), z = triple(z_, k);
    const double mu = scaled.tangents(k).mu;
    ContactMode mode = contactModeOf(y, z, mu, 1);
    // Before the end of a step y and z are those of φ no longer, but r is.
    if (isDamped_)
      mode = z[0] < scaled.compliance(k, epsilon) * y[0] ? ContactMode::sticking : ContactMode::separated;
    at.idle = mode == ContactMode::separated;
    if (at.idle) {
      at.r = -y;
    } else if (mode == ContactMode::sliding) {
      slide(y, z, mu, at);
    } else {
      at.P.setZero();
      at.Q.setIdentity();
      at.r = -z;
    }
  }
}

void ProximalNewton::aimAtForces(const ScaledProblem& scaled, double epsilon) {
  for (int k = 0; k < scaled.contacts(); ++k) {
    ConeSystem::Block& at = system_.block(k);
    at.r.setZero();
    if (!at.idle) at.r[0] = scaled.shift(k, epsilon) * reference_[3 * k] - scaled.row(k).c;
  }
}

double ProximalNewton::distanceToReference() const {
  double largest = 0;
  for (std::size_t k = 0; k < y_.size(); ++k) largest = nanMax(largest, std::abs(y_[k] - reference_[k]));
  return largest;
}

double ProximalNewton::slope(double t) const {
  double sum = alongStep_ + t * squaredStep_;
  for (const Crossing& each : crossings_)
    if (const double r = each.r + t * each.change; r < 0) sum += r * each.change * each.stiffness;
  return sum;
}

double ProximalNewton::lineSearch(const ScaledProblem& scaled, double epsilon) {
  scaled.velocity(step_, stepV_);
  alongStep_ = squaredStep_ = 0;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    alongStep_ += v_[i] * stepV_[i];
    squaredStep_ += stepV_[i] * stepV_[i];
  }
  crossings_.clear();
  for (int k = 0; k < scaled.contacts(); ++k) {
    const double compliance = scaled.compliance(k, epsilon);
    const double r = z_[3 * k] - compliance * y_[3 * k], change = scaled.normalComponent(k, stepV_);
    if (r < 0 && r + change < 0) {
      alongStep_ += r * change / compliance;
      squaredStep_ += change * change / compliance;
    } else if (r < 0 || r + change < 0) {
      crossings_.push_back({r, change, 1 / compliance});
    }
  }
  const double first = slope(0);
  if (!(first < 0)) return 0;
  if (slope(1) <= -kWholeStepSlope * first) return 1;
  double low = 0, high = 1;
  for (int n = 0; n < kBisections && high - low > kSearchInterval * high; ++n) {
    const double t = 0.5 * (low + high);
    (slope(t) > 0 ? high : low) = t;
  }
  return high;
}

bool ProximalNewton::step(const ScaledProblem& scaled, double epsilon, bool searches) {
  system_.reset(scaled, epsilon);
  const bool fromZero = !scaled.frictional() && !searches;
  linearize(scaled, epsilon);
  if (fromZero) aimAtForces(scaled, epsilon);
  if (!system_.factorize() || !system_.solve(step_, fromZero ? kLastRefinements : kStepRefinements))
    return false;
  if (fromZero)
    for (std::size_t k = 0; k < y_.size(); ++k) step_[k] -= y_[k];
  const double length = searches ? lineSearch(scaled, epsilon) : 1;
  isDamped_ = length < 1;
  for (std::size_t k = 0; k < y_.size(); ++k) y_[k] += length * step_[k];
  return length > 0;
}

void ProximalNewton::polish(const ScaledProblem& scaled, double residual, int& iterations) {
  reference_.assign(y_.begin(), y_.end());
  ++iterations;
  evaluate(scaled, kLeastEpsilon, true);
  if (!step(scaled, kLeastEpsilon, false) || !(evaluate(scaled, kLeastEpsilon, false).own < residual))
    y_.assign(reference_.begin(), reference_.end());
}

void ProximalNewton::solveAgain(const ScaledProblem& scaled, double tolerance) {
  aimAtForces(scaled, kLeastEpsilon);
  if (!system_.solve(step_, kLastRefinements)) return;
  y_.swap(step_);
  if (!(evaluate(scaled, kLeastEpsilon, false).own <= tolerance)) y_.swap(step_);
}

bool ProximalNewton::solveNear(const ScaledProblem& scaled, std::vector<double>& y, double tolerance,
                               int& iterations) {
  if (!scaled.frictional()) return solve(scaled, y, tolerance, kNearConvex, iterations);
  return solve(scaled, y, tolerance, kOneStep, iterations) || solve(scaled, y, tolerance, kNear, iterations);
}

bool ProximalNewton::endLocked(double locked, std::vector<double>& y) const {
  if (!(least_.residual() <= locked)) return false;
  y.assign(least_.forces().begin(), least_.forces().end());
  removePulls(y);
  return true;
}

bool ProximalNewton::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance,
                           const Options& options, int& iterations) {
  for (auto* each : {&v_, &stepV_}) each->resize(scaled.dimension());
  for (auto* each : {&z_, &step_}) each->resize(scaled.size());
  crossings_.reserve(scaled.contacts());
  y_.assign(y.begin(), y.end());
  reference_.assign(y.begin(), y.end());
  least_.reset(y);
  const bool convex = !scaled.frictional();
  double epsilon = options.epsilon, leastReduction = kReduction, atReference = 0;
  int backOffs = 0, sinceReference = 0, stalled = 0;
  for (int pass = 0;; ++pass) {
    Residual residual = evaluate(scaled, epsilon, sinceReference == 0);
    double largest = 0;
    for (std::size_t k = 0; k < y_.size(); k += 3) largest = std::max(largest, std::abs(y_[k]));
    const double accepted = convex ? tolerance : std::max(tolerance, kRounding * largest);
    if (residual.own <= accepted && pass > 0) {
      if (epsilon > kLeastEpsilon)
        polish(scaled, residual.own, iterations);
      else if (convex && sinceReference > 1)
        solveAgain(scaled, tolerance);
      removePulls(y_);
      y.assign(y_.begin(), y_.end());
      return true;
    }
    if (pass == options.steps) return endLocked(options.locked, y);
    if (sinceReference > 0 && scaled.isShifted(epsilon) &&
        residual.shifted <= std::max(accepted, epsilon * distanceToReference())) {
      reference_.assign(y_.begin(), y_.end());
      const double reduction = convex ? kReduction : reductionAfter(sinceReference);
      epsilon = std::max(std::max(reduction, leastReduction) * epsilon, kLeastEpsilon);
      leastReduction = std::max(kReduction, kBolder * leastReduction);
      sinceReference = 0;
      residual = evaluate(scaled, epsilon, true);
    }
    if (sinceReference == 0) {
      stalled = residual.own <= kReferenceProgress * least_.residual() ? 0 : stalled + 1;
      least_.note(reference_, atReference = residual.own);
      if (stalled >= kLockedReferences && endLocked(options.locked, y)) return true;
    }
    const double largestResidual = convex ? std::numeric_limits<double>::max()
                                          : kNewtonDivergence * std::max(atReference, scaled.scale());
    bool diverges = !(residual.shifted <= largestResidual) ||
                    sinceReference >= (convex ? kConvexStepsPerReference : kStepsPerReference);
    if (!diverges) {
      ++iterations;
      diverges = !step(scaled, epsilon, convex && sinceReference > 0);
      ++sinceReference;
    }
    if (!diverges) continue;
    if (backOffs++ == options.backOffs) return endLocked(options.locked, y);
    epsilon *= kBackOff;
    leastReduction = kCautious;
    y_.assign(reference_.begin(), reference_.end());
    sinceReference = 0;
  }
}

}  // namespace tenon::physics
