// Principal pivoting on a slightly regularized matrix.
#pragma once

#include <vector>

#include "physics/solver/lcp/joint_elimination.h"
#include "physics/solver/lcp/scaled_solver.h"
#include "physics/solver/lcp/subset_system.h"

namespace tenon::physics {

enum class PivotRule {
  dantzigCottle,  ///< drives the most negative variable to zero, keeping the others' signs
  murty,          ///< exchanges the first pair of the wrong sign: slow and safe
  both,           ///< the first, and the second where that fails
};

struct PrincipalPivotingOptions {
  PivotRule rule = PivotRule::both;
  double epsilon = 1e-9;  ///< added to the diagonal, relative to 1
  int pivotsPerRow = 20;  ///< each rule stops after 100 + this many times K
};

/// Solves the problem of A + ε1, whose pivots are ≥ ε where A is positive semidefinite, symmetric or not, by
/// exchanging pairs (f_k, w_k) on the diagonal of its tableau: Dantzig and Cottle's principal pivoting method
/// (R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, 1992, algorithm 4.2.2) or
/// Murty's least index rule (K. G. Murty, Note on a Bard-type scheme for solving the complementarity problem,
/// Opsearch 11, 1974). Both are finite on P-matrices; both take 2^K − 1 pivots at worst (Murty 1978), so they
/// are bounded. The final basis is then solved again and ε is removed from it by the proximal iteration f⁺:
/// (A + ε1) f⁺ + b − ε f = 0, so that the residual on A is what counts.
///
/// Cost: O(K²) a pivot, and O(K³) for the final basis. Fails where A has no solution or its only ones need
/// the pivots that ε hides. Joint rows: joint_elimination.h.
class PrincipalPivoting : public ScaledSolver {
 public:
  explicit PrincipalPivoting(PrincipalPivotingOptions options = {}) : options_(options) {}

  std::string_view name() const override { return "principal-pivoting"; }
  std::string_view unsupported(const DenseProblem& problem) const override;

 protected:
  void reserveOwn(int size) override;
  Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  enum class End { complementary, ray, limit, broken };

  void makeRoom(int size);
  void load();
  bool pivot(int k);
  End dantzig(int limit);
  End murty(int limit);
  bool majorCycle(int k, int limit, End& end);
  void readForces(double absoluteTolerance);
  bool provesInfeasibleByGrowth(const DenseProblem& scaled);

  PrincipalPivotingOptions options_;
  JointElimination joints_;
  Eigen::MatrixXd T_;        // tableau: basic = T nonbasic + q
  Eigen::VectorXd q_, row_;  // row_: scratch
  Eigen::VectorXd reduced_;
  std::vector<char> isForce_;  // the basic variable of pair k is f_k
  std::vector<int> active_;
  SubsetSystem system_;
  int pivots_ = 0;
  double zero_ = 0;  // values above −zero_ count as not negative
};

}  // namespace tenon::physics
