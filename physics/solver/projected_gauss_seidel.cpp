// See projected_gauss_seidel.h.
#include "physics/solver/projected_gauss_seidel.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

/// Forces beyond this, in units of what it began with, have left all hope of a solution.
constexpr double kDiverged = 1e30;
/// Near a solution the residual is about the change; it is asked for only there.
constexpr double kNear = 10;
/// Sweeps after which ũ is summed up anew, before its rounding adds up.
constexpr int kRenewal = 64;

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
void addAlong(std::span<const ScaledProblem::Entry> row, double x, std::span<double> v) {
  for (const ScaledProblem::Entry& entry : row) block(v, entry.block) += x * entry.h;
}

}  // namespace

void ProjectedGaussSeidel::begin(const ScaledProblem& form, std::vector<double>& y) {
  const std::size_t stride = form.frictional() ? 3 : 1;
  diagonal_.resize(form.contacts());
  stiffest_.resize(form.contacts());
  for (int k = 0; k < form.contacts(); ++k) {
    diagonal_[k] = form.row(k).epsilon;
    for (const ScaledProblem::Entry& entry : form.entries(k)) diagonal_[k] += entry.h.squaredNorm();
    double* yk = y.data() + stride * k;
    if (!(yk[0] >= 0) || !std::isfinite(yk[0])) yk[0] = 0;
    if (stride == 1) continue;
    // Along the larger of the two stiffnesses, and of their coupling, a step never overshoots.
    Eigen::Matrix2d stiffness = form.tangents(k).epsilon * Eigen::Matrix2d::Identity();
    for (const Tangents& h : form.tangentEntries(k)) stiffness += h.transpose() * h;
    stiffest_[k] = stiffness.cwiseAbs().rowwise().sum().maxCoeff();
    if (yk[0] == 0 || !std::isfinite(yk[1] + yk[2])) yk[1] = yk[2] = 0;
  }
  v_.resize(form.dimension());
  form.velocity(y, v_);
}

// Its largest change.
double ProjectedGaussSeidel::sweepFriction(const ScaledProblem& form, int k, double* y) {
  const ScaledProblem::TangentRows& t = form.tangents(k);
  Eigen::Map<Eigen::Vector2d> friction(y + 1);
  Eigen::Vector2d next = Eigen::Vector2d::Zero();
  if (const double radius = t.mu * y[0]; radius > 0) {
    const Eigen::Vector2d sliding = t.c + form.tangentialComponent(k, v_) + t.epsilon * friction;
    next = friction - sliding / stiffest_[k];
    if (const double length = next.norm(); length > radius) next *= radius / length;
  }
  const Eigen::Vector2d change = next - friction;
  if (change.isZero(0)) return 0;
  friction = next;
  const auto rows = form.entries(k);
  const auto tangents = form.tangentEntries(k);
  for (std::size_t e = 0; e < rows.size(); ++e) block(std::span(v_), rows[e].block) += tangents[e] * change;
  return change.cwiseAbs().maxCoeff();
}

ProjectedGaussSeidel::Change ProjectedGaussSeidel::sweep(const ScaledProblem& form, std::vector<double>& y) {
  const std::size_t stride = form.frictional() ? 3 : 1;
  Change change;
  for (int k = 0; k < form.contacts(); ++k) {
    double* yk = y.data() + stride * k;
    const ScaledProblem::Row& row = form.row(k);
    const double z = row.c + form.normalComponent(k, v_) + row.epsilon * yk[0];
    const double next = std::max(0.0, yk[0] - z / diagonal_[k]), by = next - yk[0];
    if (by != 0) addAlong(form.entries(k), by, v_);
    yk[0] = next;
    change.largest = nanMax(change.largest, nanMax(std::abs(by), std::isfinite(z) ? 0 : std::abs(z)));
    change.force = std::max(change.force, next);
    if (stride == 3) change.largest = nanMax(change.largest, sweepFriction(form, k, yk));
  }
  return change;
}

LinearReport ProjectedGaussSeidel::solve(const ScaledProblem& form, std::vector<double>& y,
                                         double tolerance) {
  const Stopwatch watch(options_.time_us);
  begin(form, y);
  double scale = std::max(form.scale(), 1e-300);
  for (const double entry : y) scale = std::max(scale, std::abs(entry));
  const int most = options_.sweeps > 0 ? std::min(options_.sweeps, kMaxSweeps) : kMaxSweeps;
  LinearReport report;
  SolverStatistics& s = report.statistics;
  while (true) {
    const Change change = sweep(form, y);
    report.iterations = static_cast<int>(++s.sweeps);
    if (!(change.largest <= kDiverged * scale)) {
      std::fill(y.begin(), y.end(), 0.0);
      return report;
    }
    report.solved = change.largest <= kNear * tolerance && form.naturalResidual(y) <= tolerance;
    s.stoppedByTolerance = report.solved;
    s.stoppedByChange =
        !report.solved && options_.change > 0 && change.largest <= options_.change * change.force;
    s.stoppedBySweeps = !report.solved && !s.stoppedByChange && s.sweeps == most;
    s.stoppedByTime = !report.solved && !s.stoppedByChange && !s.stoppedBySweeps && watch.isOver();
    report.stopped = s.stoppedByChange || s.stoppedByTime || (s.stoppedBySweeps && most == options_.sweeps);
    if (report.solved || report.stopped || s.stoppedBySweeps) return report;
    if (s.sweeps % kRenewal == 0) form.velocity(y, v_);
  }
}

}  // namespace tenon::physics
