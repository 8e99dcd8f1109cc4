// See normal_form.h.
#include "physics/solver/normal_form.h"

#include <algorithm>
#include <cmath>

#include "physics/math/worst.h"

namespace tenon::physics {

void NormalForm::build(const ContactProblem& problem, double epsilon) {
  bodies_ = problem.bodies();
  epsilon_ = epsilon;
  scale_ = 0;
  rows_.resize(problem.rows.size());
  const double dt = problem.dt;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const ContactRow& in = problem.rows[k];
    Row& out = rows_[k];
    out = Row{};
    double atFree = in.b0;  // δ at u_free
    double squared = 0;     // A_kk
    if (in.a >= 0) {
      out.a = in.a;
      out.ha = problem.massFactor[in.a].triangularView<Eigen::Lower>().solve(in.Ga);
      squared += out.ha.squaredNorm();
      atFree += dt * in.Ga.dot(block(std::span(problem.freeVelocity), in.a));
    }
    if (in.b >= 0) {
      out.b = in.b;
      out.hb = problem.massFactor[in.b].triangularView<Eigen::Lower>().solve(in.Gb);
      squared += out.hb.squaredNorm();
      atFree += dt * in.Gb.dot(block(std::span(problem.freeVelocity), in.b));
    }
    const double norm = std::sqrt(squared);
    out.ha /= norm;
    out.hb /= norm;
    out.d = dt * norm;
    out.c = atFree / out.d;
    scale_ = std::max(scale_, std::abs(out.c));
  }
  v_.resize(dimension());
  z_.resize(rows_.size());
}

void NormalForm::velocity(std::span<const double> y, std::span<double> v) const {
  std::fill(v.begin(), v.end(), 0.0);
  for (int k = 0; k < contacts(); ++k) {
    if (y[k] == 0) continue;
    const Row& r = rows_[k];
    if (r.a >= 0) block(v, r.a) += y[k] * r.ha;
    if (r.b >= 0) block(v, r.b) += y[k] * r.hb;
  }
}

double NormalForm::along(int k, std::span<const double> v) const {
  const Row& r = rows_[k];
  double sum = 0;
  if (r.a >= 0) sum += r.ha.dot(block(v, r.a));
  if (r.b >= 0) sum += r.hb.dot(block(v, r.b));
  return sum;
}

void NormalForm::distances(std::span<const double> y, std::span<const double> v, std::span<double> z) const {
  for (int k = 0; k < contacts(); ++k) z[k] = rows_[k].c + along(k, v) + epsilon_ * y[k];
}

double NormalForm::coupling(int k, int l) const {
  const Row& r = rows_[k];
  const Row& s = rows_[l];
  double sum = 0;
  if (r.a >= 0 && r.a == s.a) sum += r.ha.dot(s.ha);
  if (r.a >= 0 && r.a == s.b) sum += r.ha.dot(s.hb);
  if (r.b >= 0 && r.b == s.a) sum += r.hb.dot(s.ha);
  if (r.b >= 0 && r.b == s.b) sum += r.hb.dot(s.hb);
  return sum;
}

bool NormalForm::nothingPresses() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.c >= 0; });
}

double NormalForm::naturalResidual(std::span<const double> y) const {
  velocity(y, v_);
  distances(y, v_, z_);
  double residual = 0;
  for (int k = 0; k < contacts(); ++k) residual = worst(residual, complementarityError(y[k], z_[k]));
  return residual;
}

void NormalForm::toVelocity(const ContactProblem& problem, std::span<const double> v,
                            std::vector<double>& u) const {
  u.resize(dimension());
  for (int i = 0; i < bodies_; ++i) {
    const auto L = problem.massFactor[i].triangularView<Eigen::Lower>();
    block(std::span(u), i) = block(std::span(problem.freeVelocity), i) + L.transpose().solve(block(v, i));
  }
}

}  // namespace tenon::physics
