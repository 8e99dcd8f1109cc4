// See dense_method.h.
#include "physics/solver/lcp/dense_method.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics {
namespace {

/// Fraction of the tolerance that the methods must meet: the rest is a margin for unscaling.
constexpr double kToleranceFraction = 0.1;
/// Smallest tolerance, relative to the largest scaled |b|: rounding.
constexpr double kMinTolerance = 1e-13;

/// True if some force moves w_k in the direction `sense`; one-sided forces only push.
bool canMove(const DenseProblem& problem, int k, double sense) {
  for (int j = 0; j < problem.size(); ++j) {
    const bool eitherSign = problem.isJoint(j) || (problem.frictional() && j % 3 != 0);
    if (sense * problem.A(k, j) > 0 || (eitherSign && problem.A(k, j) != 0)) return true;
  }
  return false;
}

}  // namespace

std::string_view diagnoseSingleRow(const DenseProblem& problem) {
  std::string_view diagnosis;
  for (int k = 0; k < problem.size(); ++k) {
    const bool joint = problem.isJoint(k);
    if (problem.frictional() && k % 3 != 0) continue;
    const double missing = joint ? std::abs(problem.b[k]) : -problem.b[k];
    if (!(missing > problem.absoluteTolerance())) continue;
    if (!canMove(problem, k, problem.b[k] > 0 ? -1 : 1)) return dense_reason::kInfeasible;
    if (!joint && !(problem.A(k, k) > 0)) diagnosis = dense_reason::kUnbounded;
  }
  return diagnosis;
}

void DenseMethod::reserve(int size) {
  if (size == size_) return;
  size_ = size;
  scaled_.A.resize(size, size);
  scaled_.b.resize(size);
  scaled_.joint.reserve(size);
  scaled_.mu.reserve(size / 3 + 1);
  for (Eigen::VectorXd* v : {&d_, &f_, &w_}) v->resize(size);
  reserveOwn(size);
}

void DenseMethod::scale(const DenseProblem& problem) {
  const int n = problem.size();
  for (int k = 0; k < n; ++k) {
    // A contact's three rows share one scale, so that its cone keeps its shape.
    const int of = problem.frictional() ? k - k % 3 : k;
    double diagonal = std::abs(problem.A(of, of));
    if (diagonal == 0)
      diagonal = std::max(problem.A.row(of).cwiseAbs().maxCoeff(), problem.A.col(of).cwiseAbs().maxCoeff());
    const double d = 1 / std::sqrt(diagonal);
    d_[k] = std::isfinite(d) && d > 0 ? d : 1;
  }
  for (int j = 0; j < n; ++j) scaled_.A.col(j) = d_[j] * d_.cwiseProduct(problem.A.col(j));
  scaled_.b = d_.cwiseProduct(problem.b);
  scaled_.joint.assign(problem.joint.begin(), problem.joint.end());
  scaled_.mu.assign(problem.mu.begin(), problem.mu.end());
  scaled_.tolerance = problem.tolerance;
}

// An error e of a scaled pair is at most max(D, 1/D) e in the pair itself.
double DenseMethod::scaledTolerance(const DenseProblem& problem) const {
  double growth = 1;
  for (int k = 0; k < problem.size(); ++k) growth = std::max({growth, d_[k], 1 / d_[k]});
  return std::max(kToleranceFraction * problem.absoluteTolerance() / growth,
                  kMinTolerance * scaled_.b.cwiseAbs().maxCoeff());
}

// Negative forces that remain are rounding; forces that are not finite become zero.
void DenseMethod::unscale(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) const {
  for (int k = 0; k < problem.size(); ++k) {
    f[k] = d_[k] * f_[k];
    const bool eitherSign = problem.isJoint(k) || (problem.frictional() && k % 3 != 0);
    if (!std::isfinite(f[k]) || (!eitherSign && f[k] < 0)) f[k] = 0;
  }
  for (int k = 0; problem.frictional() && k < problem.size(); k += 3)
    if (f[k] == 0) f[k + 1] = f[k + 2] = 0;
}

// Where forces are 1e6 times as large as b, the rounding of their sums alone may exceed the tolerance; so a
// residual above it is summed again, in extended precision.
double DenseMethod::verify(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& f) {
  w_ = problem.b;
  w_.noalias() += problem.A * f;
  const double residual = naturalResidual(problem, f, w_);
  if (!(residual > problem.absoluteTolerance())) return residual;
  extendedResponse(problem, f, w_);
  return naturalResidual(problem, f, w_);
}

DenseReport DenseMethod::solve(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) {
  DenseReport report;
  if (problem.size() == 0) {
    report.solved = true;
    return report;
  }
  reserve(problem.size());
  if (!problem.A.allFinite() || !problem.b.allFinite()) {
    f.setZero();
    report.residual = std::nan("");
    report.reason = dense_reason::kNotFinite;
    return report;
  }
  scale(problem);
  if (!f.allFinite()) f.setZero();
  f_ = f.cwiseQuotient(d_);
  const bool finite = scaled_.A.allFinite() && scaled_.b.allFinite() && f_.allFinite();
  Attempt attempted;
  if (finite) {
    attempted = attempt(scaled_, scaledTolerance(problem), f_);
  } else {
    f_.setZero();
    attempted.reason = dense_reason::kNotFinite;
  }
  unscale(problem, f);
  report.iterations = attempted.iterations;
  report.residual = verify(problem, f);
  report.solved = report.residual <= problem.absoluteTolerance();
  if (report.solved) return report;
  report.reason = attempted.reason.empty() ? dense_reason::kRounding : attempted.reason;
  // A proof replaces any reason of the method, a mere hint only the unspecific ones.
  const std::string_view diagnosis = diagnoseSingleRow(problem);
  const bool isSpecific = report.reason != dense_reason::kRounding && report.reason != dense_reason::kLimit;
  if (!diagnosis.empty() && (diagnosis == dense_reason::kInfeasible || !isSpecific))
    report.reason = diagnosis;
  return report;
}

}  // namespace tenon::physics
