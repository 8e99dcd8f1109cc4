// Proximal semismooth Newton method on Coulomb's law, with and without friction: the equation of
// coulomb_law.h for all contacts at once.
//
// The equation is piecewise smooth, and its derivative on either side is used. Contacts are many and bodies
// few, so its matrix is singular; the proximal point method (R. T. Rockafellar, Monotone operators and the
// proximal point algorithm, SIAM J. Control Optim. 14, 1976) replaces z by
//     z + ε (y − y_ref),
// solves that to |residual| ≤ ε |y − y_ref|, moves y_ref to y and reduces ε. The shift vanishes at the
// solution: contacts stay as stiff as the problem says, and mass ratios of 10⁶ need no compliance. Contacts
// that yield by ε or more have no such term where no contact has friction. Where a problem diverges ε is
// raised and y returns to y_ref.
//
// Without friction the steps are those of the primal-dual active set method (M. Hintermüller, K. Ito, K.
// Kunisch, The primal-dual active set strategy as a semismooth Newton method, SIAM J. Optim. 13, 2002), and
// Newton's on the convex function
//     φ(ũ) = ½ |ũ|² + ½ Σ min(0, r_k)²/ε_k,   r = z − ε y = c + H ũ − (the proximal part) y_ref,
// whose minimum is the solution. Each step from a reference but the first ends at the minimum of φ along it,
// so that the steps between two references cannot cycle; a reference is replaced only where any contact has
// the proximal term, and after a problem that is solved.
//
// Sticking contacts may lock parts against each other, so that rounding and the gaps that a step may leave
// have no solution: then |residual| = ε |y − y_ref| stays the same while ε falls, forces only drift, and the
// search ends with Options::locked.
//
// From a good guess two to five factorizations of cone_system.h, exact to rounding; from a bad one some
// twenty.
#pragma once

#include <vector>

#include "physics/solver/cone_system.h"
#include "physics/solver/least_residual.h"

namespace tenon::physics {

/// Of contacts that pull, which is rounding where they solve a problem, or whose forces `y` (3 K entries) are
/// not finite: all forces become zero.
void removePulls(std::vector<double>& y);

class ProximalNewton {
 public:
  struct Options {
    double epsilon = 1e-3;  ///< first ε [-]
    int steps = 100;        ///< factorizations at most
    int backOffs = 16;      ///< times ε may be raised
    double locked = 0;  ///< natural residual accepted where none of the references reduces it further [√J]
  };
  /// From the guess that the caller has of the solution: what it was in the last step or trial; with
  /// friction, and without.
  static constexpr Options kNear{1e-4, 10, 0, 0}, kNearConvex{1e-9, 20, 0, 0};
  /// To end a path of another method, from a point near the solution.
  static constexpr Options kFinish{1e-2, 40, 3, 0};

  /// From the guess `y` (3 K entries, in and out) to a natural residual of at most `tolerance` [√J], or
  /// Options::locked; `iterations` grows by the factorizations. Where false, `y` is as it was.
  bool solve(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, const Options& options,
             int& iterations);

  /// The same from a guess near the solution (isGuess()). With friction: one step of Newton's method itself,
  /// which suffices where no contact changes its mode, then kNear. Without: kNearConvex, also from zero.
  bool solveNear(const ScaledProblem& scaled, std::vector<double>& y, double tolerance, int& iterations);

  /// Of the reference points of the last solve().
  const LeastResidual& least() const { return least_; }

 private:
  /// Natural residuals at y_: of the problem itself, and with the proximal term, whose z is in z_. At y_ref
  /// they are the same.
  struct Residual {
    double own = 0, shifted = 0;
  };
  Residual evaluate(const ScaledProblem& scaled, double epsilon, bool atReference);
  void linearize(const ScaledProblem& scaled, double epsilon);
  /// Right sides of contacts without friction for the forces themselves in place of their change.
  void aimAtForces(const ScaledProblem& scaled, double epsilon);
  /// One Newton step from the point last evaluated, `searches`: to the minimum of φ along it; false where
  /// rounding left none.
  bool step(const ScaledProblem& scaled, double epsilon, bool searches);
  /// The fraction of step_ at which φ is least, 1 where that is near its end; 0: φ does not fall.
  double lineSearch(const ScaledProblem& scaled, double epsilon);
  /// Derivative of φ by the fraction `t` of the step.
  double slope(double t) const;
  /// One more step with the least ε, kept where it reduces `residual`: a large ε ends at the tolerance, not
  /// at rounding.
  void polish(const ScaledProblem& scaled, double residual, int& iterations);
  /// Without friction: solves the system of the last step for the forces themselves, so that they depend on
  /// which contacts press alone, not on the guess.
  void solveAgain(const ScaledProblem& scaled, double tolerance);
  double distanceToReference() const;
  /// Makes `y` the reference of the least residual if that is at most `locked`.
  bool endLocked(double locked, std::vector<double>& y) const;

  ConeSystem system_;
  LeastResidual least_;
  std::vector<double> y_, reference_, v_, z_, step_;
  /// A contact of φ that begins or ceases to press in the step: r at its start, its change, and 1/ε.
  struct Crossing {
    double r = 0, change = 0, stiffness = 0;
  };
  std::vector<Crossing> crossings_;
  std::vector<double> stepV_;               ///< change of ũ by the step
  double alongStep_ = 0, squaredStep_ = 0;  ///< slope() at 0, and its rate, without crossings_
  bool isDamped_ = false;                   ///< the last step ended before its end
};

}  // namespace tenon::physics
