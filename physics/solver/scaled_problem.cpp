// See scaled_problem.h.
#include "physics/solver/scaled_problem.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "physics/contact/coulomb_law.h"
#include "physics/math/nan_max.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {

namespace {

/// A contact is held by joints where they leave at most this fraction of its A_kk [-].
constexpr double kHeldByJoints = 1e-16;

}  // namespace

// Adds the entries of L⁻¹ G_k in the blocks of its bodies; returns the sum of their squares.
double ScaledProblem::addEntries(const LinearizedContacts& problem, const ContactRow& in, Row& out) {
  out.first = static_cast<int>(entries_.size());
  const auto add = [&](int block, const Vector6d& h, const Vector6d& g) {
    for (std::size_t e = out.first; e < entries_.size(); ++e)
      if (entries_[e].block == block) {
        entries_[e].h += h;
        entries_[e].g += g;
        return;
      }
    entries_.push_back({block, h, g});
  };
  const auto addBody = [&](int body, const Vector6d& G, const Vector6d& J) {
    if (body < 0) return;
    const auto L = problem.massFactor[body].triangularView<Eigen::Lower>();
    const Vector6d h = L.solve(G), g = in.isTilted ? Vector6d(L.solve(J)) : h;
    if (problem.joints.empty()) return add(body, h, g);
    for (int n = 0; n < problem.space.blockCount(body); ++n)
      add(problem.space.firstBlock(body) + n, problem.space.reduced<1>(body, n, h),
          problem.space.reduced<1>(body, n, g));
  };
  addBody(in.a, in.Ga, in.Ja);
  addBody(in.b, in.Gb, in.Jb);
  out.count = static_cast<int>(entries_.size()) - out.first;
  double squared = 0;
  for (int e = 0; e < out.count; ++e) squared += entries_[out.first + e].h.squaredNorm();
  return squared;
}

void ScaledProblem::scaleEntries(const Row& row, double factor) {
  for (int e = row.first; e < row.first + row.count; ++e) {
    entries_[e].h *= factor;
    entries_[e].g *= factor;
  }
}

void ScaledProblem::build(const LinearizedContacts& problem, double epsilon) {
  const bool jointed = !problem.joints.empty();
  blocks_ = jointed ? problem.space.blocks() : problem.bodies();
  scale_ = largestD_ = 0;
  frictional_ = false;
  const double dt = problem.dt;
  closingVelocity_.resize(problem.bodies());
  for (int i = 0; i < problem.bodies(); ++i) {
    closingVelocity_[i] = block(std::span(problem.freeVelocity), i);
    if (jointed)
      closingVelocity_[i] += problem.massFactor[i].triangularView<Eigen::Lower>().transpose().solve(
          problem.space.closingVelocity(i));
  }
  entries_.clear();
  rows_.resize(problem.rows.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const ContactRow& in = problem.rows[k];
    Row& out = rows_[k];
    out = Row{};
    double squared = addEntries(problem, in, out);  // A_kk
    double atFree = in.b0;                          // δ at u_free
    if (in.a >= 0) atFree += dt * in.gradientA().dot(closingVelocity_[in.a]);
    if (in.b >= 0) atFree += dt * in.gradientB().dot(closingVelocity_[in.b]);
    if (const double whole = jointed ? problem.effectiveCompliance(in) / (dt * dt) : 0;
        squared <= kHeldByJoints * whole) {
      // Joints hold the contact: no force moves it.
      scaleEntries(out, 0);
      squared = whole;
    }
    assert(squared > 0);
    const double norm = std::sqrt(squared);
    scaleEntries(out, 1 / norm);
    out.d = dt * norm;
    out.c = atFree / out.d;
    out.own = in.compliance / (out.d * out.d);
    out.epsilon = out.own > 0 ? out.own : epsilon;
    out.rigid = in.rigid;
    // A joint limit may be meters away where contacts are micrometers apart.
    if (!in.key.isLimit() || out.c < 0) scale_ = std::max(scale_, std::abs(out.c));
    largestD_ = std::max(largestD_, out.d);
    frictional_ = frictional_ || in.mu > 0;
  }
  buildTangents(problem, epsilon);
  gatherCouplings();
  v_.resize(dimension());
  z_.resize(size());
}

void ScaledProblem::build(const Eigen::Ref<const Eigen::MatrixXd>& rows,
                          const Eigen::Ref<const Eigen::VectorXd>& b, std::span<const double> mu) {
  const bool hasTangents = !mu.empty();
  frictional_ = std::any_of(mu.begin(), mu.end(), [](double each) { return each > 0; });
  const Eigen::Index stride = hasTangents ? 3 : 1, count = rows.cols() / stride, rank = rows.rows();
  blocks_ = std::max(1, static_cast<int>(rank + 5) / 6);
  scale_ = largestD_ = 0;
  entries_.clear();
  tangentEntries_.clear();
  rows_.assign(count, {});
  tangents_.assign(count, {});
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto columns = rows.middleCols(stride * k, stride);
    Row& out = rows_[k];
    out.first = static_cast<int>(entries_.size());
    out.d = columns.col(0).norm();
    out.c = b[stride * k] / out.d;
    for (Eigen::Index at = 0; at < rank; at += 6) {
      const Eigen::Index size = std::min<Eigen::Index>(6, rank - at);
      if (columns.middleRows(at, size).isZero(0)) continue;
      entries_.push_back({static_cast<int>(at / 6), Vector6d::Zero(), Vector6d::Zero()});
      entries_.back().h.head(size) = columns.col(0).segment(at, size) / out.d;
      entries_.back().g = entries_.back().h;
      tangentEntries_.push_back(Tangents::Zero());
      if (hasTangents) tangentEntries_.back().topRows(size) = columns.block(at, 1, size, 2) / out.d;
    }
    out.count = static_cast<int>(entries_.size()) - out.first;
    if (hasTangents) {
      tangents_[k].mu = mu[k];
      tangents_[k].c = b.segment<2>(stride * k + 1) / out.d;
    }
    scale_ = std::max(scale_, std::abs(out.c));
    largestD_ = std::max(largestD_, out.d);
  }
  gatherCouplings();
  v_.resize(dimension());
  z_.resize(size());
}

// ε counts as overlap, a contact's own compliance does not.
bool ScaledProblem::removeCompliance(std::span<const double> y) {
  bool removed = false;
  for (int k = 0; k < contacts(); ++k) {
    Row& row = rows_[k];
    const double largest = row.own > 0 ? kLargestYield : kPenetrationTolerance;
    if (!row.rigid || !(row.epsilon * row.d * std::abs(y[3 * k]) > largest)) continue;
    removed = true;
    row.own = row.epsilon = tangents_[k].epsilon = 0;
  }
  return removed;
}

void ScaledProblem::raiseCompliance(double epsilon) {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    rows_[k].own = rows_[k].epsilon = std::max(rows_[k].epsilon, epsilon);
    tangents_[k].epsilon = std::max(tangents_[k].epsilon, epsilon);
  }
}

void ScaledProblem::gatherCouplings() {
  couplings_.clear();
  if (!sparse()) return;
  for (int k = 0; k < contacts(); ++k)
    for (const Entry& e : entries(k))
      for (const Entry& f : entries(k))
        if (e.block < f.block) couplings_.push_back({e.block, f.block});
  std::sort(couplings_.begin(), couplings_.end());
  couplings_.erase(std::unique(couplings_.begin(), couplings_.end()), couplings_.end());
}

void ScaledProblem::buildTangents(const LinearizedContacts& problem, double epsilon) {
  tangents_.assign(rows_.size(), TangentRows{.epsilon = epsilon});
  tangentEntries_.resize(entries_.size());
  if (!frictional_) return;
  std::fill(tangentEntries_.begin(), tangentEntries_.end(), Tangents::Zero());
  const bool jointed = !problem.joints.empty();
  const double dt = problem.dt;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const ContactRow& in = problem.rows[k];
    const Row& row = rows_[k];
    TangentRows& out = tangents_[k];
    if (!(in.mu > 0)) continue;
    out.mu = in.mu;
    const double share = dt / row.d;
    out.c = share * in.tangentialBias;
    const auto addBody = [&](int body, const Tangents& T) {
      if (body < 0) return;
      out.c += share * T.transpose() * closingVelocity_[body];
      const Tangents h = share * problem.massFactor[body].triangularView<Eigen::Lower>().solve(T);
      const int first = jointed ? problem.space.firstBlock(body) : body;
      for (int e = row.first; e < row.first + row.count; ++e) {
        const int n = entries_[e].block - first;
        if (!jointed && n == 0) tangentEntries_[e] += h;
        if (jointed && n >= 0 && n < problem.space.blockCount(body))
          tangentEntries_[e] += problem.space.reduced<2>(body, n, h);
      }
    };
    addBody(in.a, in.Ta());
    addBody(in.b, in.Tb());
  }
}

void ScaledProblem::velocity(std::span<const double> y, std::span<double> v) const {
  std::fill(v.begin(), v.end(), 0.0);
  for (int k = 0; k < contacts(); ++k) addVelocity(k, y, v);
}

Eigen::Vector2d ScaledProblem::tangentialComponent(int k, std::span<const double> v) const {
  const Row& r = rows_[k];
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (int e = r.first; e < r.first + r.count; ++e)
    sum += tangentEntries_[e].transpose() * block(v, entries_[e].block);
  return sum;
}

Vector3d ScaledProblem::components(int k, std::span<const double> v) const {
  const Row& r = rows_[k];
  if (!(tangents_[k].mu > 0)) return {normalComponent(k, v), 0, 0};
  Vector3d sum = Vector3d::Zero();
  for (int e = r.first; e < r.first + r.count; ++e) {
    const auto at = block(v, entries_[e].block);
    const Tangents& tangents = tangentEntries_[e];
    sum[0] += entries_[e].g.dot(at);
    sum[1] += tangents.col(0).dot(at);
    sum[2] += tangents.col(1).dot(at);
  }
  return sum;
}

void ScaledProblem::distance(int k, std::span<const double> y, std::span<const double> v,
                             std::span<double> z) const {
  const TangentRows& t = tangents_[k];
  if (!(t.mu > 0)) {
    triple(z, k) << rows_[k].c + normalComponent(k, v) + rows_[k].epsilon * y[3 * k], 0, 0;
    return;
  }
  const Vector3d c(rows_[k].c, t.c[0], t.c[1]), compliance(rows_[k].epsilon, t.epsilon, t.epsilon);
  triple(z, k) = c + components(k, v) + compliance.cwiseProduct(triple(y, k));
}

void ScaledProblem::distances(std::span<const double> y, std::span<const double> v,
                              std::span<double> z) const {
  for (int k = 0; k < contacts(); ++k) distance(k, y, v, z);
}

double ScaledProblem::coupling(int k, int l) const {
  double sum = 0;
  for (const Entry& r : entries(k))
    for (const Entry& s : entries(l))
      if (r.block == s.block) sum += r.h.dot(s.h);
  return sum;
}

bool ScaledProblem::isFreeMotionFeasible() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.c >= 0; });
}

double ScaledProblem::naturalResidual(std::span<const double> y) const {
  velocity(y, v_);
  distances(y, v_, z_);
  double residual = 0;
  for (int k = 0; k < contacts(); ++k)
    residual = nanMax(residual, coulombErrorSize(triple(y, k), triple(z_, k), tangents_[k].mu, 1));
  return residual;
}

void ScaledProblem::toVelocity(const LinearizedContacts& problem, std::span<const double> v,
                               std::vector<double>& u) const {
  u.resize(problem.freeVelocity.size());
  for (int i = 0; i < problem.bodies(); ++i) {
    const auto L = problem.massFactor[i].triangularView<Eigen::Lower>();
    const Vector6d scaled = problem.joints.empty() ? Vector6d(block(v, i)) : problem.space.velocity(i, v);
    block(std::span(u), i) = block(std::span(problem.freeVelocity), i) + L.transpose().solve(scaled);
  }
}

}  // namespace tenon::physics
