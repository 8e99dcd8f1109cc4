// See projected_gauss_seidel.h.
#include "physics/solver/projected_gauss_seidel.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

/// Forces beyond this, relative to the initial scale, mean that the iteration diverges.
constexpr double kDivergence = 1e30;
/// The residual is computed only where the change is within this factor of the tolerance.
constexpr double kResidualCheckFactor = 10;
/// Sweeps after which ũ is recomputed, so that its rounding does not accumulate.
constexpr int kVelocityRenewal = 64;

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

/// v += h · x.
void addImpulse(std::span<const ScaledProblem::Entry> row, double x, std::span<double> v) {
  for (const ScaledProblem::Entry& entry : row) block(v, entry.block) += x * entry.h;
}

}  // namespace

void ProjectedGaussSeidel::begin(const ScaledProblem& scaled, std::vector<double>& y) {
  const std::size_t stride = scaled.frictional() ? 3 : 1;
  diagonal_.resize(scaled.contacts());
  tangentStiffness_.resize(scaled.contacts());
  for (int k = 0; k < scaled.contacts(); ++k) {
    diagonal_[k] = scaled.row(k).epsilon;
    for (const ScaledProblem::Entry& entry : scaled.entries(k)) diagonal_[k] += entry.h.squaredNorm();
    double* yk = y.data() + stride * k;
    if (!(yk[0] >= 0) || !std::isfinite(yk[0])) yk[0] = 0;
    if (stride == 1) continue;
    // Along the larger of the two stiffnesses, and of their coupling, a step never overshoots.
    Eigen::Matrix2d stiffness = scaled.tangents(k).epsilon * Eigen::Matrix2d::Identity();
    for (const Tangents& h : scaled.tangentEntries(k)) stiffness += h.transpose() * h;
    tangentStiffness_[k] = stiffness.cwiseAbs().rowwise().sum().maxCoeff();
    if (yk[0] == 0 || !std::isfinite(yk[1] + yk[2])) yk[1] = yk[2] = 0;
  }
  v_.resize(scaled.dimension());
  scaled.velocity(y, v_);
}

// Returns the largest change of its components.
double ProjectedGaussSeidel::sweepFriction(const ScaledProblem& scaled, int k, double* y) {
  const ScaledProblem::TangentRows& t = scaled.tangents(k);
  Eigen::Map<Eigen::Vector2d> friction(y + 1);
  Eigen::Vector2d next = Eigen::Vector2d::Zero();
  if (const double radius = t.mu * y[0]; radius > 0) {
    const Eigen::Vector2d sliding = t.c + scaled.tangentialComponent(k, v_) + t.epsilon * friction;
    next = friction - sliding / tangentStiffness_[k];
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

ProjectedGaussSeidel::Change ProjectedGaussSeidel::sweep(const ScaledProblem& scaled,
                                                         std::vector<double>& y) {
  const std::size_t stride = scaled.frictional() ? 3 : 1;
  Change change;
  for (int k = 0; k < scaled.contacts(); ++k) {
    double* yk = y.data() + stride * k;
    const ScaledProblem::Row& row = scaled.row(k);
    const double z = row.c + scaled.normalComponent(k, v_) + row.epsilon * yk[0];
    const double next = std::max(0.0, yk[0] - z / diagonal_[k]), by = next - yk[0];
    if (by != 0) addImpulse(scaled.entries(k), by, v_);
    yk[0] = next;
    change.largest = nanMax(change.largest, nanMax(std::abs(by), std::isfinite(z) ? 0 : std::abs(z)));
    change.force = std::max(change.force, next);
    if (stride == 3) change.largest = nanMax(change.largest, sweepFriction(scaled, k, yk));
  }
  return change;
}

LinearReport ProjectedGaussSeidel::solve(const ScaledProblem& scaled, std::vector<double>& y,
                                         double tolerance) {
  const Stopwatch watch(options_.time_us);
  begin(scaled, y);
  double scale = std::max(scaled.scale(), 1e-300);
  for (const double entry : y) scale = std::max(scale, std::abs(entry));
  const int maxSweeps = options_.sweeps > 0 ? std::min(options_.sweeps, kMaxSweeps) : kMaxSweeps;
  LinearReport report;
  SolverStatistics& s = report.statistics;
  while (true) {
    const Change change = sweep(scaled, y);
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
    if (s.sweeps % kVelocityRenewal == 0) scaled.velocity(y, v_);
  }
}

}  // namespace tenon::physics
