// The equations of the active rows: w_S = 0, by the forces of those rows alone.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "physics/solver/lcp/dense_lu.h"

namespace tenon::physics {

class SubsetSystem {
 public:
  /// Makes room for `size` rows.
  void reserve(int size);

  /// `f`: A_SS f_S = −b_S, and 0 outside S = `subset`. Redundant rows make A_SS singular, so A_SS + ε1 is
  /// factorized, and proximal steps remove ε, (A_SS + ε1) Δf = −w_S (R. T. Rockafellar, Monotone operators
  /// and the proximal point algorithm, SIAM J. Control Optim. 14, 1976), which also refine. True where |w_S|∞
  /// ≤ `absoluteTolerance`. O(|S|³), less where A_SS is a band (dense_lu.h).
  bool solve(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& b,
             const std::vector<int>& subset, double epsilon, double absoluteTolerance,
             Eigen::Ref<Eigen::VectorXd> f);

  /// −w_S of the last f, in the order of the last subset, in the first entries. Where the equations
  /// contradict each other it does not vanish, and tends to the direction along which the forces grow.
  const Eigen::VectorXd& residual() const { return step_; }

 private:
  DenseLu lu_;
  void gather(const Eigen::Ref<const Eigen::MatrixXd>& A, const std::vector<int>& subset, double epsilon);

  Eigen::MatrixXd block_;          // A_SS in its leading part
  std::vector<int> first_, last_;  // first and last row with a nonzero entry, by column
  Eigen::VectorXd step_;           // right side, then step
  Eigen::VectorXd forces_;         // of S
};

}  // namespace tenon::physics
