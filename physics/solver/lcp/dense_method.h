// The base of the methods on a matrix, their report, and the reasons of failure that several of them share.
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

/// A method for problems of any size. solve() scales to a unit diagonal, calls the method, and computes the
/// natural residual on the A and b given: that alone decides `solved`. It is bounded in time, deterministic,
/// never throws and rejects numbers that are not finite. O(K²) beside the method's own cost.
class DenseMethod {
 public:
  virtual ~DenseMethod() = default;

  virtual std::string_view name() const = 0;

  /// Why this method does not support `problem`, as a message; empty: it does.
  virtual std::string_view unsupported(const DenseProblem& problem) const = 0;

  /// Makes room for problems of `size` rows. Of the methods only baraff, which the running simulation uses,
  /// then allocates nothing.
  void reserve(int size);

  /// `f` (K entries): in, a guess for the methods that use one; out, the solution, or where the method ended
  /// without one (not always its best point): always finite, normal forces ≥ 0. `problem` must be supported.
  DenseReport solve(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f);

 protected:
  struct Attempt {
    int iterations = 0;
    std::string_view reason;  ///< of failure; empty: the method converged
  };

  /// Room for `size` rows.
  virtual void reserveOwn(int) {}
  /// Solves `scaled`, all of whose numbers are finite, to `absoluteTolerance`. Diagonal entries are 1, −1 or
  /// 0; with friction those of normal rows, whose scale the two tangent rows share. `f` as in solve().
  virtual Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) = 0;

 private:
  void scale(const DenseProblem& problem);
  double scaledTolerance(const DenseProblem& problem) const;
  double verify(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& f);
  void unscale(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) const;

  int size_ = -1;
  DenseProblem scaled_;
  Eigen::VectorXd d_;  // f = D f_scaled, w_scaled = D w
  Eigen::VectorXd f_, w_;
};

}  // namespace tenon::physics
