// Interior point method for Coulomb's law, with De Saxcé's term inside the Newton steps.
//
// With ŷ = (μ y_n, y_t) and ẑ = (δ/μ + |z_t|, z_t) the law of a contact says that both lie in the cone
// |x_t| ≤ x_0 and are orthogonal (G. De Saxcé, Z.-Q. Feng, The bipotential method, Math. Comput. Model. 28,
// 1998). The method follows the points ŷ ∘ ẑ = m (1, 0, 0) of the cone's Jordan algebra to m = 0, with
// |z_t| smoothed to φ = √(|z_t|² + σ²), by predictor and corrector (Mehrotra) in Nesterov-Todd scaling (L.
// Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010; V. Acary et al., An interior
// point method for rigid multibody dynamics with friction, 2023). Only the gap δ is a variable of its own:
// z_t = c_t + H_t ũ holds at every point. σ is a small part of each contact's own z_0, m/ŷ_0, so that every
// contact is smoothed by its own scale.
//
// The term makes the problem nonmonotone, and convergence is not proven; of problems of moving worlds it
// solves nearly all, from any start, in 15 to 40 factorizations of cone_system.h.
#pragma once

#include <vector>

#include "physics/solver/cone_system.h"
#include "physics/solver/proximal_newton.h"

namespace tenon::physics {

class ConicInteriorPoint {
 public:
  /// Starts near `y` (3 K entries): each contact moves into the interior by `shift` [√J].
  void start(const ScaledProblem& scaled, const std::vector<double>& y, double shift);

  /// One step: predictor and corrector, one factorization. False where it makes no progress.
  bool advance(const ScaledProblem& scaled);

  /// The mean of ŷ · ẑ [J].
  double gap() const { return gap_; }
  /// The present point.
  const std::vector<double>& forces() const { return y_; }
  /// Natural residual at the present point [√J].
  double residual() const { return residual_; }

 private:
  /// One contact's quantities at the present point.
  struct Contact {
    double mu = 1;  ///< μ; 1 without friction
    Vector3d y = Vector3d::Zero(),
             z = Vector3d::Zero();       ///< ŷ and ẑ; without friction (y_n, 0, 0), (δ, 0, 0)
    Vector3d lambda = Vector3d::Zero();  ///< W ŷ = W⁻¹ ẑ
    Matrix3d W = Matrix3d::Identity(), inverse = Matrix3d::Identity();
    Matrix3d B = Matrix3d::Identity();                      ///< ∂ẑ/∂(δ, z_t)
    Vector3d dy = Vector3d::Zero(), dz = Vector3d::Zero();  ///< step of ŷ and ẑ
    double gapResidual = 0;                                 ///< z_n(y) − δ
  };
  void evaluate(const ScaledProblem& scaled);
  bool scale();
  void setTarget(double target, bool corrects);
  bool direction(const ScaledProblem& scaled);
  double longestStep() const;

  ConeSystem system_;
  std::vector<Contact> contacts_;
  std::vector<double> y_, slack_, dSlack_, v_, z_, step_, dv_;
  double gap_ = 0, residual_ = 0;
};

/// Follows the method to a solution, which the proximal Newton method ends exactly from points near it.
class ConicPath {
 public:
  /// From `y` (3 K entries, in and out) where it is a guess, and from zero where that fails, to a natural
  /// residual of at most `tolerance` [√J]; `iterations` grows by the factorizations. Where false, `y` is the
  /// point of the least residual, without forces that pull.
  bool solve(const ScaledProblem& scaled, std::vector<double>& y, bool guessed, double tolerance,
             int& iterations);

 private:
  /// From `y`, moved into the interior by `shift` [√J]. Where false, `y` is unchanged.
  bool follow(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, double shift,
              int& iterations);
  /// The Newton method from a point of the path.
  bool end(const ScaledProblem& scaled, const std::vector<double>& from, std::vector<double>& y,
           double tolerance, int& iterations);

  ProximalNewton newton_;
  ConicInteriorPoint interior_;
  LeastResidual least_, path_;  ///< of solve(), and of its present path
  std::vector<double> trial_;
};

}  // namespace tenon::physics
