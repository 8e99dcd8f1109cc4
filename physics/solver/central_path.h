// The central path of a complementarity problem, followed by predictor and corrector: for many bodies.
//
// Points y_k s_k = μ, s = z(y), y and s > 0, converge to the solution as μ → 0; they are those of the
// smoothed Fischer-Burmeister function too (fischer_newton.h). A Newton step to μ = 0 (predictor) sets the
// next μ; a second one with the same factorization and the error of the first (corrector) corrects for the
// curvature of the path (S. Mehrotra, On the implementation of a primal-dual interior point method, SIAM J.
// Optim. 2, 1992; for complementarity problems S. J. Wright, Primal-Dual Interior-Point Methods, 1997, ch.
// 8). Ten to twenty factorizations are usual, nearly independent of the number of contacts, where active sets
// take one for every few contacts that change.
#pragma once

#include "physics/solver/shifted_system.h"

namespace tenon::physics {

class CentralPath {
 public:
  /// From the guess `y` (K entries, in and out; no friction) to near the solution, μ about 10⁻¹⁰ of the
  /// start: near enough to identify the touching contacts, y_k > z_k. `iterations` grows by the
  /// factorizations. False where it made no more progress; `y` is then the last point.
  bool follow(const ScaledProblem& scaled, std::vector<double>& y, int& iterations);

 private:
  void start(const ScaledProblem& scaled);
  /// s_k Δy + y_k Δs = target_k and Δs = (H Hᵀ + ε) Δy + r, into dy_ and ds_.
  void direction();
  /// Largest fraction of the step dy_, ds_ that keeps all y and s positive, at most 1.
  double maxStep() const;
  /// μ: the mean of y_k s_k.
  double mean() const;

  ShiftedSystem system_;
  std::vector<int> all_;
  std::vector<double> y_, s_, r_, target_, dy_, ds_, shift_, v_, z_;
};

}  // namespace tenon::physics
