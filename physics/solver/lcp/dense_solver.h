// The one interface of the dense methods, and what all of them owe: scaling before, verification after.
#pragma once

#include <Eigen/Core>
#include <string_view>

#include "physics/solver/lcp/dense_problem.h"

namespace tenon::physics {

struct DenseReport {
  bool solved = false;      ///< verified: residual ≤ wanted() on the A and b given; no method's own claim
  int iterations = 0;       ///< pivots, steps, sweeps or factorisations: what the method counts
  double residual = 0;      ///< natural residual of the f returned, whatever the outcome [unit of b]
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
  void reserve(int size);

  /// `f` (K entries): in, a guess for the methods that take one; out, the solution, or the best that was
  /// found: always finite, normal forces ≥ 0. `problem` must be one that it takes.
  DenseReport solve(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f);

 protected:
  struct Attempt {
    int iterations = 0;
    std::string_view reason;  ///< empty: believed to be solved
  };

  /// Room for `size` rows.
  virtual void reserveOwn(int size) = 0;
  /// Solves `scaled`, all of whose numbers are finite and whose diagonal is 1 (0 or −1 where A's is 0 or
  /// negative), to `wanted`. `f` as in solve().
  virtual Attempt attempt(const DenseProblem& scaled, double wanted, Eigen::VectorXd& f) = 0;

 private:
  static std::string_view toldByOneRow(const DenseProblem& problem);
  void scale(const DenseProblem& problem);
  double scaledTolerance(const DenseProblem& problem) const;
  void unscale(const DenseProblem& problem, Eigen::Ref<Eigen::VectorXd> f) const;

  int size_ = -1;
  DenseProblem scaled_;
  Eigen::VectorXd d_;  // f = D f_scaled, w_scaled = D w
  Eigen::VectorXd f_, w_;
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

}  // namespace tenon::physics
