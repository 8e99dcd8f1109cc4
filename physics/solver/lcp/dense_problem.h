// A complementarity problem with an explicit matrix: the input of all methods of this folder.
//
//     w = A f + b,   0 ≤ f ⟂ w ≥ 0;   joint rows: w = 0, f of either sign;
//     with friction, rows (normal, tangent, tangent) by threes: Coulomb's law of coulomb_law.h, w the
//     relative velocity.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace tenon::physics {

/// Natural residual at which a dense problem counts as solved, relative to max|b| [-].
inline constexpr double kDenseTolerance = 1e-8;

struct DenseProblem {
  Eigen::MatrixXd A;        ///< K × K, need not be symmetric [unit of b / unit of f]
  Eigen::VectorXd b;        ///< K
  std::vector<char> joint;  ///< K, 1: a bilateral row; empty: no joints
  std::vector<double> mu;   ///< K/3 coefficients of friction ≥ 0 [-]; empty: no friction. Not with joints.
  double tolerance = kDenseTolerance;  ///< relative to max|b| [-]

  int size() const { return static_cast<int>(b.size()); }
  bool isJoint(int k) const { return !joint.empty() && joint[k] != 0; }
  bool frictional() const { return !mu.empty(); }
  /// True if A is symmetric to 1e-12 of the largest entry.
  bool symmetric() const;
  /// Residual to be met [unit of b].
  double absoluteTolerance() const { return size() == 0 ? 0 : tolerance * b.cwiseAbs().maxCoeff(); }
};

/// w = A f + b, summed in extended precision.
void extendedResponse(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& f,
                      Eigen::VectorXd& w);

/// ‖min(f, w)‖∞; |w| in joint rows, and the error of Coulomb's law in triples. NaN where any number is.
/// `w` must be A f + b.
double naturalResidual(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& f,
                       const Eigen::Ref<const Eigen::VectorXd>& w);

/// Largest violation of w by the row's own condition: |w| where f > 0 or a joint acts, else −w.
double unwantedResponse(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& f,
                        const Eigen::Ref<const Eigen::VectorXd>& w);

/// True if `y` proves that no f satisfies A f + b ≥ 0 (= 0 in joint rows): y ≥ 0 (any sign in joint rows),
/// yᵀA = 0 and yᵀb < 0 (Farkas), to rounding: even forces of 10¹⁰ max|b|/max|A| would not suffice. For a
/// positive semidefinite A such a y exists wherever there is no solution.
bool provesInfeasible(const DenseProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& y);

}  // namespace tenon::physics
