// See normal_form.h.
#include "physics/solver/normal_form.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "physics/math/worst.h"
#include "physics/solver/coulomb_law.h"

namespace tenon::physics {

void NormalForm::build(const ContactProblem& problem, double epsilon) {
  bodies_ = problem.bodies();
  scale_ = largestD_ = 0;
  frictional_ = false;
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
    assert(squared > 0);
    const double norm = std::sqrt(squared);
    out.ha /= norm;
    out.hb /= norm;
    out.d = dt * norm;
    out.c = atFree / out.d;
    out.own = in.compliance / (out.d * out.d);
    out.epsilon = out.own > 0 ? out.own : epsilon;
    scale_ = std::max(scale_, std::abs(out.c));
    largestD_ = std::max(largestD_, out.d);
    frictional_ = frictional_ || in.mu > 0;
  }
  if (frictional_) buildTangents(problem, epsilon);
  v_.resize(dimension());
  z_.resize(size());
}

void NormalForm::buildTangents(const ContactProblem& problem, double epsilon) {
  tangents_.resize(rows_.size());
  const double dt = problem.dt;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const ContactRow& in = problem.rows[k];
    TangentRows& out = tangents_[k];
    out = TangentRows{};
    out.epsilon = epsilon;
    if (!(in.mu > 0)) continue;
    out.mu = in.mu;
    const double share = dt / rows_[k].d;
    out.c = share * in.slip0;
    if (in.a >= 0) {
      out.ha = share * problem.massFactor[in.a].triangularView<Eigen::Lower>().solve(in.Ta);
      out.c += share * in.Ta.transpose() * block(std::span(problem.freeVelocity), in.a);
    }
    if (in.b >= 0) {
      out.hb = share * problem.massFactor[in.b].triangularView<Eigen::Lower>().solve(in.Tb);
      out.c += share * in.Tb.transpose() * block(std::span(problem.freeVelocity), in.b);
    }
  }
}

void NormalForm::velocity(std::span<const double> y, std::span<double> v) const {
  std::fill(v.begin(), v.end(), 0.0);
  const std::size_t stride = frictional_ ? 3 : 1;
  for (int k = 0; k < contacts(); ++k) {
    const double* yk = y.data() + stride * k;
    const Row& r = rows_[k];
    if (yk[0] != 0) {
      if (r.a >= 0) block(v, r.a) += yk[0] * r.ha;
      if (r.b >= 0) block(v, r.b) += yk[0] * r.hb;
    }
    if (!frictional_ || (yk[1] == 0 && yk[2] == 0)) continue;
    const Eigen::Vector2d t(yk[1], yk[2]);
    if (r.a >= 0) block(v, r.a) += tangents_[k].ha * t;
    if (r.b >= 0) block(v, r.b) += tangents_[k].hb * t;
  }
}

double NormalForm::along(int k, std::span<const double> v) const {
  const Row& r = rows_[k];
  double sum = 0;
  if (r.a >= 0) sum += r.ha.dot(block(v, r.a));
  if (r.b >= 0) sum += r.hb.dot(block(v, r.b));
  return sum;
}

Eigen::Vector2d NormalForm::across(int k, std::span<const double> v) const {
  const Row& r = rows_[k];
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  if (r.a >= 0) sum += tangents_[k].ha.transpose() * block(v, r.a);
  if (r.b >= 0) sum += tangents_[k].hb.transpose() * block(v, r.b);
  return sum;
}

void NormalForm::distances(std::span<const double> y, std::span<const double> v, std::span<double> z) const {
  if (!frictional_) {
    for (int k = 0; k < contacts(); ++k) z[k] = rows_[k].c + along(k, v) + rows_[k].epsilon * y[k];
    return;
  }
  for (int k = 0; k < contacts(); ++k) {
    const TangentRows& t = tangents_[k];
    const Eigen::Vector2d w = t.c + across(k, v);
    z[3 * k] = rows_[k].c + along(k, v) + rows_[k].epsilon * y[3 * k];
    z[3 * k + 1] = w[0] + t.epsilon * y[3 * k + 1];
    z[3 * k + 2] = w[1] + t.epsilon * y[3 * k + 2];
  }
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
  if (!frictional_) {
    for (int k = 0; k < contacts(); ++k) residual = worst(residual, complementarityError(y[k], z_[k]));
    return residual;
  }
  for (int k = 0; k < contacts(); ++k) {
    const Vector3d yk(y[3 * k], y[3 * k + 1], y[3 * k + 2]), zk(z_[3 * k], z_[3 * k + 1], z_[3 * k + 2]);
    residual = worst(residual, coulombErrorSize(yk, zk, tangents_[k].mu, 1));
  }
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
