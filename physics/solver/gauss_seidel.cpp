// See gauss_seidel.h.
#include "physics/solver/gauss_seidel.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

/// Forces beyond this, relative to the initial scale, mean that the iteration diverges.
constexpr double kDivergence = 1e30;
/// The residual is computed only where the change is within this factor of the tolerance.
constexpr double kResidualCheckFactor = 10;
/// Sweeps after which ũ is recomputed, so that its rounding does not accumulate.
constexpr int kVelocityRenewal = 64;
/// Neighbors in the list of contacts share bodies, so the arithmetic of one would wait for the result of the
/// last; accelerated sweeps read it in this many parts.
constexpr int kStreams = 3;

class Stopwatch {
 public:
  explicit Stopwatch(double budget_us) : budget_us_(budget_us) {
    if (budget_us > 0) start_ = Clock::now();
  }
  bool isOver() const {
    return budget_us_ > 0 &&
           std::chrono::duration<double, std::micro>(Clock::now() - start_).count() >= budget_us_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double budget_us_;
  Clock::time_point start_;
};

/// 1/x; 0 for a contact that nothing moves.
double inverseOf(double x) {
  return x > 0 ? 1 / x : 0;
}

}  // namespace

void ContactSweeps::begin(const ScaledProblem& scaled, std::vector<double>& y, int streams) {
  const int contacts = scaled.contacts(), length = (contacts + streams - 1) / streams;
  order_.clear();
  for (int n = 0; n < length; ++n)
    for (int k = n; k < contacts; k += length) order_.push_back(k);
  inverse_.resize(contacts);
  tangentInverse_.resize(contacts);
  for (int k = 0; k < contacts; ++k) {
    double diagonal = scaled.row(k).epsilon;
    for (const ScaledProblem::Entry& entry : scaled.entries(k)) diagonal += entry.h.dot(entry.g);
    inverse_[k] = inverseOf(diagonal);
    double* yk = y.data() + 3 * k;
    if (!(yk[0] > 0) || !std::isfinite(yk[0])) yk[0] = 0;
    if (!(scaled.tangents(k).mu > 0)) {
      yk[1] = yk[2] = 0;
      continue;
    }
    // Along the larger of the two stiffnesses, and of their coupling, a step never overshoots.
    Eigen::Matrix2d stiffness = scaled.tangents(k).epsilon * Eigen::Matrix2d::Identity();
    for (const Tangents& h : scaled.tangentEntries(k)) stiffness += h.transpose() * h;
    tangentInverse_[k] = inverseOf(stiffness.cwiseAbs().rowwise().sum().maxCoeff());
    if (yk[0] == 0 || !std::isfinite(yk[1] + yk[2])) yk[1] = yk[2] = 0;
  }
  v_.resize(scaled.dimension());
  scaled.velocity(y, v_);
}

// Returns the largest change of its components.
double ContactSweeps::sweepFriction(const ScaledProblem& scaled, int k, double* y) {
  const ScaledProblem::TangentRows& t = scaled.tangents(k);
  Eigen::Map<Eigen::Vector2d> friction(y + 1);
  Eigen::Vector2d next = Eigen::Vector2d::Zero();
  if (const double radius = t.mu * y[0]; radius > 0) {
    const Eigen::Vector2d sliding = t.c + scaled.tangentialComponent(k, v_) + t.epsilon * friction;
    next = friction - tangentInverse_[k] * sliding;
    if (const double length = next.norm(); length > radius) next *= radius / length;
  }
  const Eigen::Vector2d change = next - friction;
  if (change.isZero(0)) return 0;
  friction = next;
  const auto rows = scaled.entries(k);
  const auto tangents = scaled.tangentEntries(k);
  for (std::size_t e = 0; e < rows.size(); ++e) block(std::span(v_), rows[e].block) += tangents[e] * change;
  return change.cwiseAbs().maxCoeff();
}

ContactSweeps::Change ContactSweeps::sweep(const ScaledProblem& scaled, std::vector<double>& y) {
  Change change;
  for (const int k : order_) {
    double* yk = y.data() + 3 * k;
    const ScaledProblem::Row& row = scaled.row(k);
    const double z = row.c + scaled.normalComponent(k, v_) + row.epsilon * yk[0];
    const double next = std::max(0.0, yk[0] - z * inverse_[k]), by = next - yk[0];
    if (by != 0)
      for (const ScaledProblem::Entry& entry : scaled.entries(k))
        block(std::span(v_), entry.block) += by * entry.h;
    yk[0] = next;
    double largest = std::isfinite(z) ? std::abs(by) : std::abs(z);
    if (scaled.tangents(k).mu > 0) largest = nanMax(largest, sweepFriction(scaled, k, yk));
    change.largest = nanMax(change.largest, largest);
    change.distance = nanMax(change.distance, row.d * largest);
    change.force = std::max(change.force, next);
  }
  return change;
}

LinearReport ProjectedGaussSeidel::solve(const ScaledProblem& scaled, std::vector<double>& y,
                                         double tolerance) {
  const Stopwatch watch(options_.time_us);
  sweeps_.begin(scaled, y, 1);
  double scale = std::max(scaled.scale(), std::numeric_limits<double>::min());
  for (const double entry : y) scale = std::max(scale, std::abs(entry));
  const int maxSweeps = options_.sweeps > 0 ? std::min(options_.sweeps, kMaxSweeps) : kMaxSweeps;
  LinearReport report;
  SolverStatistics& s = report.statistics;
  while (true) {
    const ContactSweeps::Change change = sweeps_.sweep(scaled, y);
    report.iterations = static_cast<int>(++s.sweeps);
    if (!(change.largest <= kDivergence * scale)) {
      std::fill(y.begin(), y.end(), 0.0);
      return report;
    }
    report.solved =
        change.largest <= kResidualCheckFactor * tolerance && scaled.naturalResidual(y) <= tolerance;
    s.stoppedByTolerance = report.solved;
    s.stoppedByChange =
        !report.solved && options_.change > 0 && change.largest <= options_.change * change.force;
    s.stoppedBySweeps = !report.solved && !s.stoppedByChange && s.sweeps == maxSweeps;
    s.stoppedByTime = !report.solved && !s.stoppedByChange && !s.stoppedBySweeps && watch.isOver();
    report.stopped =
        s.stoppedByChange || s.stoppedByTime || (s.stoppedBySweeps && maxSweeps == options_.sweeps);
    if (report.solved || report.stopped || s.stoppedBySweeps) return report;
    if (s.sweeps % kVelocityRenewal == 0) scaled.velocity(y, sweeps_.velocity());
  }
}

void AndersonGaussSeidel::extrapolate(std::vector<double>& y) {
  double squared = 0, secondSquared = 0, product = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double change = y[k] - sweepStart_[k], secondDifference = change - change_[k];
    squared += change * change;
    secondSquared += secondDifference * secondDifference;
    product += secondDifference * change;
    change_[k] = change;
  }
  const bool restart = !(squared < lastSquared_) || secondSquared == 0;
  const double factor = restart ? 0 : product / secondSquared;
  lastSquared_ = squared;
  const auto move = [factor](std::vector<double>& x, std::vector<double>& last) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double reached = x[k];
      x[k] -= factor * (reached - last[k]);
      last[k] = reached;
    }
  };
  move(y, lastY_);
  move(sweeps_.velocity(), lastV_);
}

LinearReport AndersonGaussSeidel::solve(const ScaledProblem& scaled, std::vector<double>& y,
                                        double tolerance) {
  sweeps_.begin(scaled, y, kStreams);
  lastV_.assign(sweeps_.velocity().begin(), sweeps_.velocity().end());
  lastY_.assign(y.begin(), y.end());
  change_.assign(y.size(), 0.0);
  lastSquared_ = 0;
  LinearReport report;
  for (int pass = 0; pass < kMaxSweeps; ++pass) {
    sweepStart_.assign(y.begin(), y.end());
    const ContactSweeps::Change change = sweeps_.sweep(scaled, y);
    ++report.iterations;
    if (!std::isfinite(change.distance)) break;
    report.solved = change.distance <= tolerance * scaled.largestD();
    // Extrapolated forces may pull or leave the cone, so the last operation is always a sweep.
    if (report.solved || pass + 1 == kMaxSweeps) break;
    extrapolate(y);
  }
  if (!std::all_of(y.begin(), y.end(), [](double entry) { return std::isfinite(entry); }))
    std::fill(y.begin(), y.end(), 0.0);
  report.stopped = !report.solved;
  return report;
}

}  // namespace tenon::physics
