// The interface of the dense methods, their report, and the reasons of failure that several of them share.
#pragma once

#include <Eigen/Core>
#include <string_view>

#include "physics/solver/lcp/dense_problem.h"

namespace tenon::physics {

struct DenseReport {
  bool solved = false;  ///< verified: residual ≤ absoluteTolerance() on the A and b given
  int iterations = 0;   ///< pivots, steps, sweeps or factorizations, by method
  /// Natural residual of the f returned, whatever the outcome [unit of b]; in double, and where rounding
  /// exceeds the tolerance, with sums in extended precision.
  double residual = 0;
  std::string_view reason;  ///< why it was not solved, as far as known; refers to a literal
};

/// A method for problems of any size. solve() is bounded in time, deterministic, never throws and rejects
/// numbers that are not finite.
class DenseSolver {
 public:
  virtual ~DenseSolver() = default;

  virtual std::string_view name() const = 0;

  /// Why this method does not support `problem`, as a message; empty: it does.
  virtual std::string_view unsupported(const DenseProblem& problem) const = 0;

  /// Makes room for problems of `size` rows. Of the methods only baraff, which the running simulation uses,
  /// then allocates nothing.
  virtual void reserve(int size) = 0;

  /// `f` (K entries): in, a guess for the methods that use one; out, the solution, or where the method ended
  /// without one (not always its best point): always finite, normal forces ≥ 0. `problem` must be supported.
  virtual DenseReport solve(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) = 0;
};

namespace dense_reason {
// Reasons of failure that several methods share.
inline constexpr std::string_view kNotFinite = "the problem contains a number that is not finite";
inline constexpr std::string_view kInfeasible = "infeasible: no force satisfies all rows";
inline constexpr std::string_view kUnbounded =
    "unbounded (not proved): in some row the force can grow without limit and never raises its own w";
inline constexpr std::string_view kLimit = "stopped at the iteration limit";
inline constexpr std::string_view kRounding = "ended, but rounding left a residual above the tolerance";
inline constexpr std::string_view kFriction = "does not support friction, only one-sided rows and joints";
inline constexpr std::string_view kSymmetricFriction =
    "with friction needs a symmetric matrix, and A is not symmetric";
inline constexpr std::string_view kNotSymmetric = "needs a symmetric matrix, and A is not symmetric";
inline constexpr std::string_view kIndefinite =
    "needs a positive semidefinite matrix, and A is not positive semidefinite";
}  // namespace dense_reason

/// Diagnosis of an unsolved problem from single rows: kInfeasible where no force moves a row's w in the
/// required direction, which is a proof; kUnbounded where its own force does not; else empty. O(K²).
std::string_view diagnoseSingleRow(const DenseProblem& problem);

/// True if joint rows contradict each other, or hold a contact's w below zero, with a proof
/// (provesInfeasible()). Without friction. O(K³), and allocates.
bool jointsProveInfeasible(const DenseProblem& problem);

}  // namespace tenon::physics
