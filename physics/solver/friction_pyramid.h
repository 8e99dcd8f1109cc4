// Contacts with friction as a linear complementarity problem, by Lemke's method: Coulomb's cone becomes a
// pyramid, so that the sliding direction is one of its edges (D. E. Stewart, J. C. Trinkle, An implicit
// time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb friction, Int. J. Numer.
// Methods Eng. 39, 1996). Per contact y_n, eight edge forces β ≥ 0 with y_t = E β, and the sliding speed λ ≥
// 0:
//     0 ≤ y_n ⟂ z_n ≥ 0,   0 ≤ β ⟂ λ + Eᵀ z_t ≥ 0,   0 ≤ λ ⟂ μ y_n − Σ β ≥ 0.
// The matrix is copositive, which Lemke processes. The pyramid lies in the cone: friction is up to 8 % too
// small between its edges. So its solution serves as the guess from which ProximalNewton finds that of the
// cone.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "physics/contact/pyramid_edges.h"
#include "physics/math/lemke.h"
#include "physics/solver/scaled_problem.h"

namespace tenon::physics {

class FrictionPyramid {
 public:
  /// `y` (3 K entries): in, a guess whose loaded contacts are the first working set; out, the pyramid's
  /// solution (where false: the guess, or the solution of the last working set). Ten rows a contact are
  /// dense, so only contacts that press, or would overlap otherwise, are in the working set, which grows
  /// round by round. False where Lemke's method ends in a ray or the working set exceeds kMaxWorking.
  bool solve(const ScaledProblem& scaled, std::vector<double>& y, int& iterations);

  static constexpr int kEdges = kPyramidEdges;
  static constexpr int kMaxWorking = 32;

 private:
  void gather(const ScaledProblem& scaled);
  bool solveWorking(const ScaledProblem& scaled, std::vector<double>& y, int& iterations);
  bool addViolated(const ScaledProblem& scaled, const std::vector<double>& y);

  std::vector<int> working_;
  std::vector<char> isWorking_;
  std::vector<double> rows_, gradients_, couplings_, matrix_, rhs_, x_, v_, z_;
  Lemke lemke_;
};

}  // namespace tenon::physics
