// Alternating direction method of multipliers for Coulomb's law: slow, and indifferent to bad starts.
//
// With De Saxcé's shift s = (μ |z_t|, 0, 0) the law is the optimum of the convex problem
//     min ½ yᵀ (H Hᵀ + E) y + (c + s)ᵀ y,   |y_t| ≤ μ y_n,
// whose two parts are treated in turn (S. Boyd et al., Distributed optimization and statistical learning via
// ADMM, Found. Trends Mach. Learn. 3, 2011; for friction V. Acary, M. Brémond, O. Huber, On solving contact
// problems with Coulomb friction, 2018):
//     w = P(x),  λ = x − w,  (H Hᵀ + E + ρ) y = ρ (w − λ) − c − s,  x⁺ = x + y − w,
// P the projection on the cones, and s follows from z_t = −ρ λ_t. The map x → x⁺ is accelerated by Anderson's
// method (D. G. Anderson, J. ACM 12, 1965; depth kDepth). One factorization for each ρ; then each iteration
// costs two products with H. proximal_newton.h ends it as soon as it is near.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "physics/solver/cone_system.h"
#include "physics/solver/proximal_newton.h"

namespace tenon::physics {

class ConicAdmm {
 public:
  /// From the guess `y` (3 K entries, in and out) to a natural residual of at most `tolerance` [√J];
  /// `iterations` grows by the iterations and factorizations. Where false, `y` is the best point found.
  bool solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, int& iterations);

  /// Iterations kept by Anderson's method.
  static constexpr int kDepth = 10;

 private:
  bool factorize(const ScaledProblem& scaled);
  /// x⁺ − x at state_, into change_; false where it is not finite.
  bool apply(const ScaledProblem& scaled);
  /// Moves state_ by change_, accelerated.
  void accelerate();
  void adaptPenalty(const ScaledProblem& scaled);

  ConeSystem system_;
  ProximalNewton newton_;
  double penalty_ = 1;            ///< ρ [-]
  double primal_ = 0, dual_ = 0;  ///< |y − w| and ρ |w − w of the last iteration| [√J]
  std::vector<double> state_, change_, w_, lastW_;  // x, x⁺ − x, w
  std::vector<double> y_, best_, trial_, plain_;
  std::vector<double> lastState_, lastChange_;
  Eigen::MatrixXd states_, changes_;  // their differences, one a column
  int kept_ = 0, next_ = 0;
  double lastSize_ = 0;
};

}  // namespace tenon::physics
