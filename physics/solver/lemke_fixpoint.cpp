// See lemke_fixpoint.h.
#include "physics/solver/lemke_fixpoint.h"

namespace tenon::physics {

namespace {

/// Proximal paths Lemke may follow where rounding hides the plain one: the other solver is at hand.
constexpr int kProximalPaths = 2;
/// Pivots of one path, for each contact. Some are usual; a path that needs many more is lost to rounding.
constexpr int kPivotsPerContact = 4;
/// Contacts up to which the compliant problem is pivoted: its basis holds all that touch, O(K³).
constexpr int kCompliantContacts = 200;
/// Factorisations that may spread the load of Lemke's vertex over all contacts that touch.
constexpr int kSpreadings = 6;

/// Newton steps from the pyramid's solution to the cone's.
constexpr int kConeSteps = 12;

}  // namespace

LinearReport LemkeFixpoint::solveFrictional(const ScaledProblem& form, std::vector<double>& y,
                                            double tolerance) {
  LinearReport report;
  pyramid_.solve(form, y, report.iterations);
  report.solved = coulomb_.spread(form, y, tolerance, kConeSteps, report.iterations);
  return report;
}

LinearReport LemkeFixpoint::solve(const ScaledProblem& form, std::vector<double>& y, double tolerance) {
  if (form.frictional()) return solveFrictional(form, y, tolerance);
  LinearReport report;
  const int count = form.contacts();
  if (static_cast<int>(rhs_.size()) < count) {
    matrix_.resize(static_cast<std::size_t>(count) * count);
    rhs_.resize(count);
    lemke_.reserve(count);
  }
  Eigen::Map<Eigen::MatrixXd> A(matrix_.data(), count, count);
  for (int l = 0; l < count; ++l) {
    for (int k = l; k < count; ++k) A(k, l) = A(l, k) = form.coupling(k, l);
    A(l, l) += form.row(l).own;
    rhs_[l] = form.row(l).c;
  }
  LemkeOptions options;
  options.tolerance = form.scale() > 0 ? tolerance / form.scale() : tolerance;
  options.proximalPaths = kProximalPaths;
  options.maxPivots = 100 + kPivotsPerContact * count;
  const Eigen::Map<const Eigen::VectorXd> b(rhs_.data(), count);
  Eigen::Map<Eigen::VectorXd> f(y.data(), count);

  // Without the compliance A has rank ≤ 6n, and the basis is as small; with it every contact that touches
  // is in the basis. So the plain problem first: its vertex tells which contacts touch, and the active set
  // method spreads the load over them as their compliance does. The compliant problem itself is for those
  // that have no rigid solution.
  report.iterations += lemke_.solve(A, b, f, options).pivots;
  if (activeSet_.settle(form, y, tolerance, kSpreadings, report.iterations)) {
    report.solved = true;
    return report;
  }
  if (count > kCompliantContacts) return report;  // y is finite and ≥ 0 as it is
  for (int k = 0; k < count; ++k) A(k, k) += form.row(k).epsilon - form.row(k).own;
  report.iterations += lemke_.solve(A, b, f, options).pivots;
  activeSet_.settle(form, y, tolerance, kSpreadings, report.iterations);
  report.solved = form.naturalResidual(y) <= tolerance;
  return report;
}

}  // namespace tenon::physics
