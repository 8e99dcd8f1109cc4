// See joint_elimination.h.
#include "physics/solver/lcp/joint_elimination.h"

#include <cmath>

namespace tenon::physics {
namespace {

constexpr double kRedundantPivot =
    1e-11;  ///< pivot of a joint that others imply, in units of the largest entry
/// Largest entry of a contact's column in the rows of such joints, same unit; for a positive semidefinite A
/// at most the square root of their own pivots.
constexpr double kFollows = 1e-5;

}  // namespace

void JointElimination::reserve(int size) {
  // Split joints have two rows each; their memory is allocated only when needed.
  A_.resize(size, size);
  b_.resize(size);
  x_.resize(size);
  lu_.reserve(size);
  joints_.reserve(size);
  contacts_.reserve(size);
}

void JointElimination::reduce(const DenseProblem& problem) {
  joints_.clear();
  contacts_.clear();
  for (int k = 0; k < problem.size(); ++k) (problem.isJoint(k) ? joints_ : contacts_).push_back(k);
  isSplit_ = false;
  const int j = static_cast<int>(joints_.size());
  if (j > 0) {
    auto block = lu_.reset(j);
    for (int c = 0; c < j; ++c)
      for (int r = 0; r < j; ++r) block(r, c) = problem.A(joints_[r], joints_[c]);
    lu_.factorize(kRedundantPivot);
    isSplit_ = lu_.rank() < j && !(problem.symmetric() && dependentRowsFollow(problem));
  }
  isSplit_ ? split(problem) : eliminate(problem);
}

// True if forces of the independent joints that keep their own rows at zero against a contact's force also
// keep the dependent ones at zero. For symmetric A the columns then follow as well.
bool JointElimination::dependentRowsFollow(const DenseProblem& problem) {
  const int j = static_cast<int>(joints_.size());
  const double allowed = kFollows * problem.A.cwiseAbs().maxCoeff();
  for (const int c : contacts_) {
    for (int l = 0; l < j; ++l) x_[l] = problem.A(joints_[l], c);
    lu_.solve(x_.head(j));
    for (int d = lu_.rank(); d < j; ++d) {
      const int row = joints_[lu_.row(d)];
      double left = problem.A(row, c);
      for (int l = 0; l < j; ++l) left -= problem.A(row, joints_[l]) * x_[l];
      if (!(std::abs(left) <= allowed)) return false;
    }
  }
  return true;
}

void JointElimination::eliminate(const DenseProblem& problem) {
  const int j = static_cast<int>(joints_.size());
  size_ = static_cast<int>(contacts_.size());
  const auto subtractJoints = [&](auto&& column) {
    if (j == 0) return;
    lu_.solve(x_.head(j));
    for (int l = 0; l < j; ++l)
      for (int r = 0; r < size_; ++r) column[r] -= problem.A(contacts_[r], joints_[l]) * x_[l];
  };
  for (int c = 0; c < size_; ++c) {
    for (int r = 0; r < size_; ++r) A_(r, c) = problem.A(contacts_[r], contacts_[c]);
    for (int l = 0; l < j; ++l) x_[l] = problem.A(joints_[l], contacts_[c]);
    subtractJoints(A_.col(c));
  }
  for (int r = 0; r < size_; ++r) b_[r] = problem.b[contacts_[r]];
  for (int l = 0; l < j; ++l) x_[l] = problem.b[joints_[l]];
  subtractJoints(b_);
}

void JointElimination::split(const DenseProblem& problem) {
  const int n = problem.size(), j = static_cast<int>(joints_.size());
  size_ = n + j;
  if (A_.rows() < size_) {
    A_.resize(size_, size_);
    b_.resize(size_);
  }
  A_.topLeftCorner(n, n) = problem.A;
  b_.head(n) = problem.b;
  for (int l = 0; l < j; ++l) {
    A_.row(n + l).head(n) = -problem.A.row(joints_[l]);
    b_[n + l] = -problem.b[joints_[l]];
  }
  for (int l = 0; l < j; ++l) A_.col(n + l).head(size_) = -A_.col(joints_[l]).head(size_);
}

void JointElimination::expand(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& reduced,
                              Eigen::VectorXd& f) {
  const int j = static_cast<int>(joints_.size());
  if (isSplit_) {
    f = reduced.head(problem.size());
    for (int l = 0; l < j; ++l) f[joints_[l]] -= reduced[problem.size() + l];
    return;
  }
  f.setZero();
  for (int r = 0; r < size_; ++r) f[contacts_[r]] = reduced[r];
  // The second pass is a refinement: it solves for the residual of the first.
  for (int round = 0; round < 2 && j > 0; ++round) {
    for (int l = 0; l < j; ++l) x_[l] = -problem.A.row(joints_[l]).dot(f) - problem.b[joints_[l]];
    lu_.solve(x_.head(j));
    for (int l = 0; l < j; ++l) f[joints_[l]] += x_[l];
  }
}

}  // namespace tenon::physics
