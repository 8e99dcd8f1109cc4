// See anderson_gauss_seidel.h.
#include "physics/solver/anderson_gauss_seidel.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tenon::physics {

namespace {

using Block = Eigen::Map<Vector6d>;

/// Contacts are read alternately from this many parts of the list. Neighbors in the list share bodies, so the
/// arithmetic of one would wait for the result of the last.
constexpr int kStreams = 3;

}  // namespace

void AndersonGaussSeidel::order(int contacts) {
  order_.clear();
  const int length = (contacts + kStreams - 1) / kStreams;
  for (int n = 0; n < length; ++n)
    for (int k = n; k < contacts; k += length) order_.push_back(k);
}

void AndersonGaussSeidel::begin(const ScaledProblem& scaled, std::vector<double>& y) {
  const int contacts = scaled.contacts();
  const std::size_t stride = scaled.frictional() ? 3 : 1;
  order(contacts);
  rows_.resize(contacts);
  y_.resize(y.size());
  for (int n = 0; n < contacts; ++n) {
    const int k = order_[n];
    const std::span<const ScaledProblem::Entry> entries = scaled.entries(k);
    assert(!entries.empty() && entries.size() <= 2);
    Row& row = rows_[n];
    row.a = 6 * entries[0].block;
    row.ha = entries[0].h;
    row.b = entries.size() > 1 ? 6 * entries[1].block : scaled.dimension();
    row.hb = entries.size() > 1 ? entries[1].h : Vector6d(Vector6d::Zero());
    row.c = scaled.row(k).c;
    row.d = scaled.row(k).d;
    row.epsilon = scaled.row(k).epsilon;
    row.inverse = 1 / (row.epsilon + row.ha.squaredNorm() + row.hb.squaredNorm());
    double* yk = y.data() + stride * k;
    if (!(yk[0] > 0) || !std::isfinite(yk[0])) yk[0] = 0;
    if (stride == 3 && (yk[0] == 0 || !std::isfinite(yk[1] + yk[2]))) yk[1] = yk[2] = 0;
    std::copy_n(yk, stride, y_.data() + stride * n);
  }
  tangents_.clear();
  if (scaled.frictional()) gatherTangents(scaled);
  v_.assign(scaled.dimension() + 6, 0.0);
  scaled.velocity(y, std::span(v_).first(scaled.dimension()));
  lastV_ = v_;
  lastY_ = y_;
  change_.assign(y.size(), 0.0);
  lastSquared_ = 0;
}

void AndersonGaussSeidel::gatherTangents(const ScaledProblem& scaled) {
  tangents_.resize(scaled.contacts());
  for (std::size_t n = 0; n < order_.size(); ++n) {
    const int k = order_[n];
    const std::span<const Tangents> entries = scaled.tangentEntries(k);
    TangentRow& t = tangents_[n];
    t.c = scaled.tangents(k).c;
    t.mu = scaled.tangents(k).mu;
    t.epsilon = scaled.tangents(k).epsilon;
    t.ha = entries[0];
    t.hb = entries.size() > 1 ? entries[1] : Tangents(Tangents::Zero());
    // Along the larger of the two stiffnesses, and of their coupling, a step never overshoots.
    const Eigen::Matrix2d stiffness = t.ha.transpose() * t.ha + t.hb.transpose() * t.hb;
    t.inverse = 1 / (t.epsilon + stiffness.cwiseAbs().rowwise().sum().maxCoeff());
  }
}

double AndersonGaussSeidel::sweepFriction(const Row& row, const TangentRow& t, double* y) {
  Block va(v_.data() + row.a), vb(v_.data() + row.b);
  Eigen::Map<Eigen::Vector2d> friction(y + 1);
  Eigen::Vector2d next = Eigen::Vector2d::Zero();
  if (const double radius = t.mu * y[0]; radius > 0) {
    const Eigen::Vector2d sliding =
        t.c + t.ha.transpose() * va + t.hb.transpose() * vb + t.epsilon * friction;
    next = friction - t.inverse * sliding;
    if (const double length = next.norm(); length > radius) next *= radius / length;
  }
  const Eigen::Vector2d change = next - friction;
  if (change.isZero(0)) return 0;
  friction = next;
  va += t.ha * change;
  vb += t.hb * change;
  return change.cwiseAbs().maxCoeff();
}

double AndersonGaussSeidel::sweep() {
  const std::size_t stride = tangents_.empty() ? 1 : 3;
  double largest = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    Block va(v_.data() + row.a), vb(v_.data() + row.b);
    double* yk = y_.data() + stride * k;
    const double z = row.c + row.ha.dot(va) + row.hb.dot(vb) + row.epsilon * yk[0];
    const double next = std::max(0.0, yk[0] - z * row.inverse), by = next - yk[0];
    if (by != 0) {
      yk[0] = next;
      va += by * row.ha;
      vb += by * row.hb;
      largest = std::max(largest, row.d * std::abs(by));
    }
    if (stride == 3 && tangents_[k].mu > 0)
      largest = std::max(largest, row.d * sweepFriction(row, tangents_[k], yk));
  }
  return largest;
}

void AndersonGaussSeidel::extrapolate() {
  double squared = 0, secondSquared = 0, product = 0;
  for (std::size_t k = 0; k < y_.size(); ++k) {
    const double change = y_[k] - sweepStart_[k], secondDifference = change - change_[k];
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
  move(y_, lastY_);
  move(v_, lastV_);
}

LinearReport AndersonGaussSeidel::solve(const ScaledProblem& scaled, std::vector<double>& y,
                                        double tolerance) {
  begin(scaled, y);
  LinearReport report;
  for (int pass = 0; pass < kMaxSweeps; ++pass) {
    sweepStart_ = y_;
    const double largest = sweep();
    ++report.iterations;
    if (!std::isfinite(largest)) break;
    report.solved = largest <= tolerance * scaled.largestD();
    // Extrapolated forces may pull or leave the cone, so the last operation is always a sweep.
    if (report.solved || pass + 1 == kMaxSweeps) break;
    extrapolate();
  }
  const std::size_t stride = scaled.frictional() ? 3 : 1;
  for (std::size_t n = 0; n < order_.size(); ++n)
    std::copy_n(y_.data() + stride * n, stride, y.data() + stride * order_[n]);
  if (!std::all_of(y.begin(), y.end(), [](double entry) { return std::isfinite(entry); }))
    std::fill(y.begin(), y.end(), 0.0);
  report.stopped = !report.solved;
  return report;
}

}  // namespace tenon::physics
