// Baraff's direct method.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "physics/math/growing_cholesky.h"
#include "physics/solver/lcp/baraff_options.h"
#include "physics/solver/lcp/dense_method.h"

namespace tenon::physics {

/// Events of a solve, and the largest violations of its answer.
struct BaraffStatistics {
  int redundant =
      0;             ///< contacts and joints found to depend on those that carry force; contacts are deferred
  int deferred = 0;  ///< contacts deferred because treating them cycled
  int flipFlops = 0;         ///< steps of length zero that undid another one
  double unwantedAccel = 0;  ///< largest: negative, or not zero where there is force or a joint [unit of b]
  double unwantedForce = 0;  ///< largest negative force of a contact
};

/// a = A f + b, contacts treated one at a time: the force at the contact d being treated rises from zero, the
/// forces in C (those that carry force, a = 0) change so that their accelerations stay zero, until a_d = 0;
/// a force in C that reaches zero on the way moves to NC (f = 0, a ≥ 0), an acceleration in NC that reaches
/// zero to C (D. Baraff, Fast contact force computation for nonpenetrating rigid bodies, SIGGRAPH 94,
/// sections 4 and 5; the same steps as Dantzig's for quadratic programs, R. W. Cottle, J.-S. Pang, R. E.
/// Stone, The Linear Complementarity Problem, 1992, 4.3). Bilateral rows are treated first, driven to a = 0
/// from either side, and stay in C.
///
/// A_CC is stored as a Cholesky factor. A row that depends on C (a table on four legs) would make it
/// singular: it is redundant, keeps f = 0, and is tested again when C shrinks. A contact that depends on C
/// when its turn comes is deferred until the others have been treated. Then it moves force from C to itself
/// until a force of C reaches zero; if none ever does, no solution exists, and the step's direction proves
/// it. Steps of zero length (ties) may undo each other without end: such a flip-flop is resolved by the least
/// index rule, and where that does not help the contact is deferred as well.
///
/// A contact that has not been treated is, once its acceleration is below −1/100 of what the result may miss;
/// a deferred or treated one only below the whole of that (kDeferredLimit): to remove the rest would take
/// unreasonably large forces. So do the deferred contacts of myPhysicsLab's 2D engine (ComputeForces).
///
/// Symmetric positive semidefinite A only. Cost: O(|C|² + K |C|) a step, usually some K steps, exponentially
/// many at worst, so they are bounded. Fails where dependency cannot be distinguished from rounding (a Schur
/// complement of 1e-13, that is 3e-7 of a row's length).
class Baraff : public DenseMethod {
 public:
  explicit Baraff(BaraffOptions options = {}) : options_(std::move(options)) {}

  std::string_view name() const override { return "baraff"; }
  std::string_view unsupported(const DenseProblem& problem) const override;

  /// Of the last solve, in scaled units.
  const BaraffStatistics& statistics() const { return statistics_; }

 protected:
  void reserveOwn(int size) override;
  Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  enum class State : char { untreated, clamped, free, redundant };  // clamped: C; free: NC
  enum class Drive { reached, impossible, cycles, limit };
  struct Block {
    double step = 0;
    int row = -1;
    double speed = 0;
  };

  void orderRows(const DenseProblem& problem);
  std::uint64_t draw();
  /// True if row k comes before `chosen` (−1: none), the `count`-th of the rows that may come next.
  bool precedes(int k, int chosen, bool isJoint, std::uint64_t count);
  int nextDeferred(const DenseProblem& problem, double allowed) const;
  int next(const DenseProblem& problem, double allowed);
  bool dependsOnClamped(const DenseProblem& problem, int d);
  Drive drive(const DenseProblem& problem, int d);
  void direction(const DenseProblem& problem, int d, double sense);
  Block firstToBlock(const DenseProblem& problem, int d, bool leastIndex) const;
  void consider(Block& block, double step, int row, double speed, bool leastIndex) const;
  bool clamp(const DenseProblem& problem, int k);
  void release(int k);
  void restore(const DenseProblem& problem);
  void refresh(const DenseProblem& problem);
  void check(const DenseProblem& problem);

  BaraffOptions options_;
  BaraffStatistics statistics_;
  std::uint64_t random_ = 1;
  std::vector<State> state_, savedState_;
  std::vector<char> deferred_;  // 1: treated after the others; 2: after the next that succeeds
  std::vector<char> moved_;     // in steps of length zero
  std::vector<int> rank_;       // by row: place in the order given
  std::vector<int> clamped_;    // C, in the factor's order
  GrowingCholesky factor_;
  Eigen::VectorXd f_, a_, df_, da_, x_;
  int steps_ = 0, limit_ = 0;
};

}  // namespace tenon::physics
