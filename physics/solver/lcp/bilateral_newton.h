// The bilateral Newton method: an active set of touching contacts, guessed and corrected.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/solver/lcp/scaled_solver.h"
#include "physics/solver/lcp/subset_system.h"

namespace tenon::physics {

/// Solves w_S = 0 for the active rows S as if they were joints (Newton's step on w_S(f) = 0, exact here as w
/// is linear), removes those whose force is negative, adds those that are violated, and repeats: the baseline
/// of G. Hotz, A. Kerzmann, C. Lennerz, R. Schmid, E. Schömer, T. Warken, Calculation of Contact Forces,
/// Saarland University. Joint rows are always in S.
///
/// Cost: O(|S|³) an iteration, O(K²) where A is a band, and usually less than ten. It may return to the same
/// S, even for positive definite A. That is detected; then rows are exchanged one at a time, the most
/// violated first, and if a set still returns, or the equations of a set contradict each other, it fails with
/// that reason.
class BilateralNewton : public ScaledSolver {
 public:
  /// `maxSets`: active sets tried at most.
  explicit BilateralNewton(int maxSets = 400) : maxSets_(maxSets) {}

  std::string_view name() const override { return "bilateral-newton"; }
  std::string_view unsupported(const DenseProblem& problem) const override;

 protected:
  void reserveOwn(int size) override;
  Attempt attempt(const DenseProblem& scaled, double absoluteTolerance, Eigen::VectorXd& f) override;

 private:
  enum class Change { none, made };
  Change change(const DenseProblem& problem, double absoluteTolerance, bool oneAtATime,
                const Eigen::VectorXd& f);
  bool wasVisited();

  int maxSets_;
  SubsetSystem system_;
  std::vector<char> isActive_;
  std::vector<int> active_;
  std::vector<std::uint64_t> visited_;
  Eigen::VectorXd w_;
};

}  // namespace tenon::physics
