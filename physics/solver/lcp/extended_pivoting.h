// Principal pivoting in extended precision, for problems that need huge forces.
#pragma once

#include <vector>

#include "physics/solver/lcp/scaled_solver.h"

namespace tenon::physics {

/// Contacts that resist a motion with a lever arm of 1e-6 or less (a bolt pushed along a bore in which it is
/// tilted) may need forces 1e6 times the applied one. Such forces exist in double precision to 1e-10 of
/// max|b|, but rounding hides which contacts carry them: A has eigenvalues of 1e-12 beside those that are
/// rounding, 1e-15. This method decides it in long double (64 bits of mantissa on x86; where long double is
/// double, it is no better than principal pivoting).
///
/// Solves the problem of A + ε1, ε = 1e-14 of the diagonal, by Dantzig and Cottle's principal pivoting
/// (principal_pivoting.h has the source), and takes ε out by the proximal iteration f⁺: (A + ε1) f⁺ + b − ε f
/// = 0 (R. T. Rockafellar, Monotone operators and the proximal point algorithm, SIAM J. Control Optim. 14,
/// 1976), each round from the last one's basis. That tends to a solution of small norm, which loses little
/// when rounded to double. Joint rows are pivoted in first and stay.
///
/// Positive semidefinite A, symmetric or not. Cost: O(K²) a pivot in extended precision, usually 1-3 K
/// pivots: 10 ms at K = 128, some ten times principal pivoting. Fails where forces of 1e7 max|b| are needed,
/// whose own rounding then exceeds the tolerance.
class ExtendedPivoting : public ScaledSolver {
 public:
  std::string_view name() const override { return "extended-pivoting"; }
  std::string_view unsupported(const DenseProblem& problem) const override;

 protected:
  void reserveOwn(int size) override;
  Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  using Real = long double;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  enum class End { complementary, ray, limit, broken };

  bool load(const DenseProblem& problem);
  bool pivotJoints(const DenseProblem& problem);
  bool pivot(int k);
  End dantzig(const DenseProblem& problem);
  bool majorCycle(const DenseProblem& problem, int k, End& end);
  void setRightSide();
  void readForces(const DenseProblem& problem);

  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> T_;  // tableau: basic = T nonbasic + q
  Vector q_, row_;
  Vector b_;         // right side of the current proximal problem
  Vector x_, last_;  // its forces, and those of the previous one
  Vector w_;
  std::vector<char> isForce_;  // the basic variable of pair k is f_k
  Eigen::VectorXd trial_, rest_;
  int pivots_ = 0, limit_ = 0;
  Real zero_ = 0;  // values above −zero_ count as not negative
};

}  // namespace tenon::physics
