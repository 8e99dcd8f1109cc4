// See lemke_fixpoint.h.
#include "physics/solver/lemke_fixpoint.h"

namespace tenon::physics {

namespace {

/// Proximal paths where the plain one fails by rounding; few, as the other solver is the fallback.
constexpr int kFallbackPaths = 2;
/// Pivots of one path, for each contact. Fewer are usual; longer paths fail by rounding.
constexpr int kPivotsPerContact = 4;
/// To distribute the load of Lemke's vertex over all touching contacts.
constexpr ProximalNewton::Options kFromVertex{1e-9, 6, 0};
/// From the pyramid's solution to the cone's.
constexpr ProximalNewton::Options kPyramidToCone{1e-2, 60, 3};

}  // namespace

LinearReport LemkeFixpoint::solveFrictional(const ScaledProblem& scaled, std::vector<double>& y,
                                            double tolerance) {
  LinearReport report;
  pyramid_.solve(scaled, y, report.iterations);
  report.solved = (isGuess(y) && newton_.solveNear(scaled, y, tolerance, report.iterations)) ||
                  newton_.solve(scaled, y, tolerance, kPyramidToCone, report.iterations);
  return report;
}

LinearReport LemkeFixpoint::solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) {
  if (scaled.frictional()) return solveFrictional(scaled, y, tolerance);
  LinearReport report;
  const int count = scaled.contacts();
  if (static_cast<int>(rhs_.size()) < count) {
    matrix_.resize(static_cast<std::size_t>(count) * count);
    rhs_.resize(count);
    f_.resize(count);
    lemke_.reserve(count);
  }
  Eigen::Map<Eigen::MatrixXd> A(matrix_.data(), count, count);
  for (int l = 0; l < count; ++l) {
    for (int k = l; k < count; ++k) A(k, l) = A(l, k) = scaled.coupling(k, l);
    A(l, l) += scaled.row(l).own;
    rhs_[l] = scaled.row(l).c;
  }
  LemkeOptions options;
  options.tolerance = scaled.scale() > 0 ? tolerance / scaled.scale() : tolerance;
  options.proximalPaths = kFallbackPaths;
  options.pivotsPerRow = kPivotsPerContact;
  const Eigen::Map<const Eigen::VectorXd> b(rhs_.data(), count);
  Eigen::Map<Eigen::VectorXd> f(f_.data(), count);
  const auto pivot = [&] {
    report.iterations += lemke_.solve(A, b, f, options).pivots;
    std::fill(y.begin(), y.end(), 0.0);
    for (int k = 0; k < count; ++k) y[3 * k] = f[k];
  };

  // Without the compliance A has rank ≤ 6n, and so has the basis; with it every touching contact is in the
  // basis. So the plain problem is solved first: its vertex identifies touching contacts, and Newton's
  // method distributes the load over them by their compliance. The compliant problem itself is for problems
  // without a rigid solution.
  pivot();
  report.solved = newton_.solve(scaled, y, tolerance, kFromVertex, report.iterations);
  if (report.solved || count > kMaxContacts) return report;  // y is finite and ≥ 0 as it is
  for (int k = 0; k < count; ++k) A(k, k) += scaled.row(k).epsilon - scaled.row(k).own;
  pivot();
  newton_.solve(scaled, y, tolerance, kFromVertex, report.iterations);
  report.solved = scaled.naturalResidual(y) <= tolerance;
  return report;
}

}  // namespace tenon::physics
