// See row_system.h.
#include "physics/solver/row_system.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {

void RowSystem::add(int a, int b, const Vector6d& Ga, const Vector6d& Gb) {
  Column column{a, b};
  if (a >= 0) column.ha = problem_->massFactor[a].triangularView<Eigen::Lower>().solve(Ga);
  if (b >= 0) column.hb = problem_->massFactor[b].triangularView<Eigen::Lower>().solve(Gb);
  columns_.push_back(column);
}

double RowSystem::coupling(const Column& k, const Column& l) {
  double sum = 0;
  if (k.a >= 0 && k.a == l.a) sum += k.ha.dot(l.ha);
  if (k.a >= 0 && k.a == l.b) sum += k.ha.dot(l.hb);
  if (k.b >= 0 && k.b == l.a) sum += k.hb.dot(l.ha);
  if (k.b >= 0 && k.b == l.b) sum += k.hb.dot(l.hb);
  return sum;
}

// Sizes are powers of two, so that one contact more or less allocates nothing.
RowSystem::Workspace& RowSystem::workspace(int size) {
  int power = 3;
  while (1 << power < size && power < kSizes - 1) ++power;
  std::unique_ptr<Workspace>& at = workspaces_[power];
  if (!at || at->f.size() < size) {
    at = std::make_unique<Workspace>(options_);
    const int rows = std::max(size, 1 << power);
    at->problem.A.resize(rows, rows);
    at->problem.b.resize(rows);
    at->problem.joint.resize(rows);
    at->f.resize(rows);
    at->w.resize(rows);
    at->method.reserve(rows);
  }
  return *at;
}

void RowSystem::build(const LinearizedContacts& problem, std::span<const ContactRow> rows,
                      std::span<const int> chosen) {
  problem_ = &problem;
  columns_.clear();
  firstOf_.clear();
  contacts_ = static_cast<int>(chosen.size());
  for (const int k : chosen) add(rows[k].a, rows[k].b, rows[k].Ga, rows[k].Gb);
  for (const JointRows& joint : problem.joints) {
    firstOf_.push_back(static_cast<int>(columns_.size()));
    for (int e = 0; e < joint.count; ++e) add(joint.a, joint.b, joint.Ga.col(e), joint.Gb.col(e));
  }
  const int size = static_cast<int>(columns_.size());
  current_ = &workspace(size);
  DenseProblem& dense = current_->problem;
  // Rows beyond those of the problem have no effect.
  dense.A.setIdentity();
  for (int l = 0; l < size; ++l)
    for (int k = l; k < size; ++k) dense.A(k, l) = dense.A(l, k) = coupling(columns_[k], columns_[l]);
  dense.b.setZero();
  std::fill(dense.joint.begin(), dense.joint.end(), 0);
  std::fill(dense.joint.begin() + contacts_, dense.joint.begin() + size, 1);
}

DenseReport RowSystem::solve() {
  current_->f.setZero();
  const DenseReport report = current_->method.solve(current_->problem, current_->f);
  statistics_ = current_->method.statistics();
  check();
  return report;
}

DenseReport RowSystem::solveImpacts(const LinearizedContacts& problem, std::span<const ContactRow> rows,
                                    std::span<const int> chosen, std::span<const double> restitution,
                                    std::span<double> u, std::vector<double>& impulse) {
  build(problem, rows, chosen);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const double speed = LinearizedContacts::separationSpeed(rows[chosen[k]], u);
    setContact(static_cast<int>(k), speed + restitution[k] * std::min(0.0, speed));
  }
  for (std::size_t n = 0; n < problem.joints.size(); ++n)
    for (int row = 0; row < problem.joints[n].count; ++row)
      setJoint(static_cast<int>(n), row, LinearizedContacts::jointRate(problem.joints[n], row, u));
  const DenseReport report = solve();
  impulse.assign(chosen.size(), 0.0);
  if (!report.solved) return report;
  for (std::size_t k = 0; k < chosen.size(); ++k) impulse[k] = force(static_cast<int>(k));
  addImpulses(1, u);
  return report;
}

// Residuals in the units of the problem. Negative forces are set to zero before force() returns them; the
// statistics bound the largest of them by the scaling of the smallest diagonal entry.
void RowSystem::check() {
  const DenseProblem& dense = current_->problem;
  current_->w = dense.b;
  current_->w.noalias() += dense.A * current_->f;
  statistics_.unwantedAccel = unwantedResponse(dense, current_->f, current_->w);
  residual_ = 0;
  double smallestDiagonal = HUGE_VAL;
  for (int k = 0; k < static_cast<int>(columns_.size()); ++k) {
    if (!(dense.A(k, k) > 0)) continue;
    smallestDiagonal = std::min(smallestDiagonal, dense.A(k, k));
    const double w = current_->w[k] / dense.A(k, k);
    residual_ = std::max(residual_, std::abs(dense.isJoint(k) ? w : std::min(current_->f[k], w)));
  }
  statistics_.unwantedForce *= 1 / std::sqrt(smallestDiagonal);
}

void RowSystem::addImpulses(double fraction, std::span<double> u) const {
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Column& column = columns_[k];
    const double f = fraction * current_->f[static_cast<Eigen::Index>(k)];
    if (f == 0) continue;
    const auto push = [&](int body, const Vector6d& h) {
      if (body >= 0)
        block(u, body) += f * problem_->massFactor[body].triangularView<Eigen::Lower>().transpose().solve(h);
    };
    push(column.a, column.ha);
    push(column.b, column.hb);
  }
}

}  // namespace tenon::physics
