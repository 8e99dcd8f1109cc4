// The central path of a complementarity problem, followed by predictor and corrector: for many bodies.
//
// Points y_k s_k = μ, s = z(y), y and s > 0, lead to the solution as μ → 0; they are those of the smoothed
// Fischer-Burmeister function too (fischer_newton.h). From anywhere, one Newton step to μ = 0 tells how far
// to aim, a second one with the same factorisation and the first one's error corrects for the path's bend (S.
// Mehrotra, On the implementation of a primal-dual interior point method, SIAM J. Optim. 2, 1992; for
// complementarity problems S. J. Wright, Primal-Dual Interior-Point Methods, 1997, ch. 8). Ten to twenty
// factorisations are usual, hardly more for a thousand contacts than for ten, where active sets take one for
// every few contacts that change.
#pragma once

#include "physics/solver/shifted_system.h"

namespace tenon::physics {

class CentralPath {
 public:
  /// From the guess `y` (K entries, in and out; no friction) to near the solution, μ about 10⁻¹⁰ of the
  /// start: near enough to tell what touches, y_k > z_k. `iterations` grows by the factorisations. False
  /// where it got stuck; `y` is then as far as it came.
  bool follow(const ScaledProblem& form, std::vector<double>& y, int& iterations);

 private:
  void start(const ScaledProblem& form);
  /// s_k Δy + y_k Δs = target_k and Δs = (H Hᵀ + ε) Δy + r, into dy_ and ds_.
  void direction();
  /// Largest share of the way along dy_ and ds_ on which all stay positive, at most 1.
  double room() const;
  double mean() const;

  ShiftedSystem system_;
  std::vector<int> all_;
  std::vector<double> y_, s_, r_, target_, dy_, ds_, shift_, v_, z_;
};

}  // namespace tenon::physics
