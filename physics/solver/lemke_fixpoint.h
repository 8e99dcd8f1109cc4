// Lemke's method for the linearized problem, in force space: the inner solver of lemke-fixpoint.
//
// Complementary pivoting with the lexicographic ratio test cannot cycle and needs no starting guess: finite
// on every problem without friction that has a solution, at O(K²) memory. With friction it begins with
// friction_pyramid.h and ends by Newton's method on the cone.
#pragma once

#include "physics/math/lemke.h"
#include "physics/solver/friction_pyramid.h"
#include "physics/solver/linear_solver.h"
#include "physics/solver/proximal_newton.h"

namespace tenon::physics {

class LemkeFixpoint : public LinearSolver {
 public:
  /// Contacts up to which it is the fallback for impacts, and up to which it pivots on the compliant
  /// problem, whose basis holds all touching contacts, O(K³): more would take seconds.
  static constexpr int kMaxContacts = 200;

  LinearReport solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance) override;

 private:
  LinearReport solveFrictional(const ScaledProblem& scaled, std::vector<double>& y, double tolerance);

  FrictionPyramid pyramid_;
  ProximalNewton newton_;
  Lemke lemke_;
  std::vector<double> matrix_, rhs_, f_;
};

}  // namespace tenon::physics
