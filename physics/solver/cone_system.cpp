// See cone_system.h.
#include "physics/solver/cone_system.h"

#include <algorithm>
#include <cmath>

#include "physics/math/nan_max.h"

namespace tenon::physics {

namespace {

/// Blocks up to which dense factors replace sparse ones. These exchange rows only inside a body's own block,
/// and lose digits where sliding contacts couple bodies more strongly than mass does; dense ones cost O(n³).
constexpr int kMaxDenseBlocks = 64;

/// Residual at which refinement ends, relative to the right side [-].
constexpr double kRefinedResidual = 1e-14;

/// The three rows of a contact in one block, as columns.
using Columns = Eigen::Matrix<double, 6, 3>;

Columns columnsOf(const Vector6d& normal, const Tangents& tangents) {
  Columns columns;
  columns << normal, tangents;
  return columns;
}

/// Solves L Lᵀ x = b; `l` has L below the diagonal, and on it the reciprocals of L's: divisions would take
/// most of the time.
Vector6d solveByCholesky(const Matrix6d& l, Vector6d b) {
  for (int k = 0; k < 6; ++k) {
    b[k] *= l(k, k);
    for (int i = k + 1; i < 6; ++i) b[i] -= l(i, k) * b[k];
  }
  for (int k = 5; k >= 0; --k) {
    for (int i = k + 1; i < 6; ++i) b[k] -= l(i, k) * b[i];
    b[k] *= l(k, k);
  }
  return b;
}

}  // namespace

void ConeSystem::reset(const ScaledProblem& scaled, double epsilon) {
  scaled_ = &scaled;
  symmetric_ = !scaled.frictional();
  epsilon_ = epsilon;
  const auto count = static_cast<std::size_t>(scaled.contacts());
  blocks_.resize(count);
  V_.resize(count);
  W_.resize(count);
  activeContacts_.reserve(count);
  w_.resize(scaled.dimension());
  for (auto* v : {&r_, &t_, &x_}) v->assign(3 * count, 0.0);
}

// The diagonal of E in the rows of a contact with friction.
Vector3d ConeSystem::complianceRows(int k) const {
  const double tangential = scaled_->tangents(k).epsilon + scaled_->shift(k, epsilon_);
  return {compliance(k), tangential, tangential};
}

// V and W of a contact.
bool ConeSystem::invert(int k) {
  const Block& at = blocks_[k];
  if (!hasFriction(k)) {
    V_[k](0, 0) = 1 / (at.P(0, 0) + at.Q(0, 0) * compliance(k));
    W_[k](0, 0) = V_[k](0, 0) * at.Q(0, 0);
    return std::isfinite(V_[k](0, 0)) && std::isfinite(W_[k](0, 0));
  }
  V_[k] = (at.P + at.Q * complianceRows(k).asDiagonal()).inverse();
  W_[k] = V_[k] * at.Q;
  return W_[k].allFinite() && V_[k].allFinite();
}

template <class Add>
bool ConeSystem::assemble(const Add& add) {
  for (int k = 0; k < scaled_->contacts(); ++k) {
    if (blocks_[k].idle) continue;
    if (!invert(k)) return false;
    const auto normals = scaled_->entries(k);
    const auto tangents = scaled_->tangentEntries(k);
    for (std::size_t e = 0; e < normals.size(); ++e) {
      if (!hasFriction(k)) {
        const Vector6d weighted = W_[k](0, 0) * normals[e].g;
        for (const ScaledProblem::Entry& f : normals)
          if (!symmetric_ || f.block >= normals[e].block)
            add(f.block, normals[e].block, f.h * weighted.transpose());
        continue;
      }
      const Columns weighted = columnsOf(normals[e].g, tangents[e]) * W_[k].transpose();
      for (std::size_t f = 0; f < normals.size(); ++f)
        add(normals[f].block, normals[e].block,
            columnsOf(normals[f].h, tangents[f]).lazyProduct(weighted.transpose()));
    }
  }
  return true;
}

// 1 + Hᵀ W H.
bool ConeSystem::factorizeAs(bool sparse) {
  sparse_ = sparse;
  if (scaled_->dimension() == 6) {
    Matrix6d m = Matrix6d::Identity();
    if (!assemble([&m](int, int, const auto& product) { m += product; })) return false;
    if (!symmetric_) {
      oneBodyLu_.compute(m);
      return true;
    }
    const Eigen::LLT<Matrix6d> cholesky(m);
    oneBodyCholesky_ = cholesky.matrixLLT();
    oneBodyCholesky_.diagonal() = oneBodyCholesky_.diagonal().cwiseInverse();
    return cholesky.info() == Eigen::Success;
  }
  if (sparse_) {
    pattern_.analyze(scaled_->blocks(), scaled_->couplings());
    blocksLu_.reset(pattern_);
    for (int i = 0; i < scaled_->blocks(); ++i) blocksLu_.block(i, i).setIdentity();
    return assemble([this](int i, int j, const auto& product) { blocksLu_.block(i, j) += product; }) &&
           blocksLu_.factorize(symmetric_);
  }
  auto m = lu_.reset(scaled_->dimension());
  m.setIdentity();
  return assemble([&m](int i, int j, const auto& product) { m.block<6, 6>(6 * i, 6 * j) += product; }) &&
         lu_.factorize();
}

// Hᵀ Δy, to w_.
void ConeSystem::velocity(std::span<const double> dy) {
  std::fill(w_.begin(), w_.end(), 0.0);
  for (const int k : activeContacts_) scaled_->addVelocity(k, dy, w_);
}

void ConeSystem::solveOnce(std::span<const double> r, std::span<double> dy) {
  for (const int k : activeContacts_) {
    if (!hasFriction(k))
      dy[3 * k] = blocks_[k].idle ? r[3 * k] : V_[k](0, 0) * r[3 * k];
    else if (const Vector3d own = triple(r, k); blocks_[k].idle)
      triple(dy, k) = own;
    else
      triple(dy, k) = V_[k] * own;
  }
  velocity(dy);
  Eigen::Map<Eigen::VectorXd> w(w_.data(), scaled_->dimension());
  if (scaled_->dimension() == 6)
    w = symmetric_ ? solveByCholesky(oneBodyCholesky_, w) : Vector6d(oneBodyLu_.solve(Vector6d(w)));
  else if (sparse_)
    blocksLu_.solve(w_);
  else
    lu_.solve(w);
  for (const int k : activeContacts_) {
    if (blocks_[k].idle) continue;
    if (hasFriction(k))
      triple(dy, k) -= W_[k] * scaled_->components(k, w_);
    else
      dy[3 * k] -= W_[k](0, 0) * scaled_->normalComponent(k, w_);
  }
}

// Residual of the equations with right side t_ at `dy`, into r_; returns its largest entry.
double ConeSystem::residual(std::span<const double> dy) {
  velocity(dy);
  double largest = 0;
  for (const int k : activeContacts_) {
    const Block& at = blocks_[k];
    if (at.idle) continue;  // Δy is the right side itself
    if (!hasFriction(k)) {
      const double x = dy[3 * k], z = scaled_->normalComponent(k, w_) + compliance(k) * x;
      r_[3 * k] = t_[3 * k] - at.P(0, 0) * x - at.Q(0, 0) * z;
      largest = nanMax(largest, std::abs(r_[3 * k]));
      continue;
    }
    const Vector3d x = triple(dy, k);
    Vector3d r = triple(t_, k) - at.P * x;
    r -= at.Q * (scaled_->components(k, w_) + complianceRows(k).cwiseProduct(x));
    triple(r_, k) = r;
    for (int i = 0; i < 3; ++i) largest = nanMax(largest, std::abs(r[i]));
  }
  return largest;
}

bool ConeSystem::factorize() {
  return factorizeAs(scaled_->sparse()) ||
         (sparse_ && !symmetric_ && scaled_->blocks() <= kMaxDenseBlocks && factorizeAs(false));
}

bool ConeSystem::solve(std::span<double> dy, int refinements, double accuracy) {
  std::fill(dy.begin(), dy.end(), 0.0);
  activeContacts_.clear();
  double largest = 0;
  for (int k = 0; k < scaled_->contacts(); ++k) {
    const Vector3d& r = blocks_[k].r;
    if (blocks_[k].idle && r.isZero(0)) continue;
    activeContacts_.push_back(k);
    t_[3 * k] = r[0];
    largest = nanMax(largest, std::abs(r[0]));
    if (!hasFriction(k)) continue;
    triple(t_, k) = r;
    largest = nanMax(largest, nanMax(std::abs(r[1]), std::abs(r[2])));
  }
  if (!solveRefined(dy, refinements, largest)) return false;
  if (!sparse_ || symmetric_ || residual(dy) <= accuracy * largest) return true;
  if (scaled_->blocks() > kMaxDenseBlocks) return true;
  return factorizeAs(false) && solveRefined(dy, refinements, largest);
}

// `largest`: max |t_|.
bool ConeSystem::solveRefined(std::span<double> dy, int refinements, double largest) {
  solveOnce(t_, dy);
  for (int pass = 0; pass < refinements; ++pass) {
    if (residual(dy) <= kRefinedResidual * largest && (symmetric_ || pass > 0)) break;
    solveOnce(r_, x_);
    for (const int k : activeContacts_) triple(dy, k) += triple(x_, k);
  }
  return std::all_of(activeContacts_.begin(), activeContacts_.end(),
                     [dy](int k) { return std::isfinite(triple(dy, k).sum()); });
}

}  // namespace tenon::physics
