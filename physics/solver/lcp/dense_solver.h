// The one interface of the dense methods, what they report, and what several of them have to say.
#pragma once

#include <Eigen/Core>
#include <string_view>

#include "physics/solver/lcp/dense_problem.h"

namespace tenon::physics {

struct DenseReport {
  bool solved = false;  ///< verified: residual ≤ wanted() on the A and b given; no method's own claim
  int iterations = 0;   ///< pivots, steps, sweeps or factorisations: what the method counts
  /// Natural residual of the f returned, whatever the outcome [unit of b]; in double, and where that does not
  /// do, with sums in extended precision.
  double residual = 0;
  std::string_view reason;  ///< where not solved: why, as far as the method can tell; refers to a literal
};

/// A method for problems of any size. solve() is bounded in time, deterministic, never throws and is not
/// fooled by numbers that are none.
class DenseSolver {
 public:
  virtual ~DenseSolver() = default;

  virtual std::string_view name() const = 0;

  /// Why this method cannot take `problem`, to be told to a person; empty: it can.
  virtual std::string_view unsupported(const DenseProblem& problem) const = 0;

  /// Makes room for problems of `size` rows: solving one of that size then allocates nothing.
  virtual void reserve(int size) = 0;

  /// `f` (K entries): in, a guess for the methods that take one; out, the solution, or where the method ended
  /// without one (not always the best point it met): always finite, normal forces ≥ 0. `problem` must be one
  /// that it takes.
  virtual DenseReport solve(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) = 0;
};

namespace dense_reason {
// What several methods have to say.
inline constexpr std::string_view kNotFinite = "a number of the problem is none";
inline constexpr std::string_view kInfeasible = "infeasible: no force satisfies all rows";
inline constexpr std::string_view kUnbounded =
    "unbounded, perhaps: at some row a force may grow without end and never lifts its own w";
inline constexpr std::string_view kLimit = "stopped after its largest number of iterations";
inline constexpr std::string_view kRounding = "ended, but rounding spoilt what it found";
inline constexpr std::string_view kFriction = "takes no friction: its rows are one-sided or joints";
inline constexpr std::string_view kNotSymmetric = "needs a symmetric matrix, and A is not symmetric";
inline constexpr std::string_view kIndefinite =
    "needs a positive semidefinite matrix, and A is not positive semidefinite";
}  // namespace dense_reason

/// What a single row can tell of a problem that was not solved: kInfeasible where no force moves its w the
/// way it has to go, which is a proof; kUnbounded where its own force does not; else empty. O(K²).
std::string_view diagnoseSingleRow(const DenseProblem& problem);

}  // namespace tenon::physics
