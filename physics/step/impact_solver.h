// Impacts with restitution: velocities at the end of a step after the contacts that closed in it, for every
// solver. With the solver baraff, Baraff's method solves the contacts of each round (row_system.h).
//
// A step leaves parts that met in contact, without separation speed. The contacts of an impact are those that
// touch at its end or carried force in it. They connect bodies to groups. In a group in which a contact with
// restitution closed, or carried force while it moved, all bodies get their velocities as follows:
//  1. Velocity before the impact: that at the start of the step, plus the fraction of everything else that
//     acts in the step (weight, hands, joints) until the parts met: for one contact exactly what keeps its
//     energy, w² = w₀² − 2 a δ₀. The contact forces of the step are left out. They act along the normals of
//     its end, along which the parts may already separate, and would add energy; and their accuracy has no
//     influence.
//  2. One problem without restitution for the contacts that did not close: support.
//  3. The impact propagates from part to part as in Newton's cradle, round by round: for the contacts that
//     approach at least half as fast as the fastest, together,
//         0 ≤ p ⟂ w⁺ + e w⁻ ≥ 0,   w⁺ = w⁻ + Gᵀ M̂⁻¹ (G p + T p_t),   Coulomb's law for p_t,
//     with Newton's restitution e (E. J. Routh, Dynamics of a System of Rigid Bodies I, 1905, ch. IV; rounds:
//     D. Baraff, Physically Based Modeling, SIGGRAPH course notes, 2001, 8). A round that would gain energy,
//     as different e of coupled contacts or friction may, uses the largest fraction of e that gains none
//     (e = 0 never does). A round that cannot be solved is replaced by the impact of its fastest contact.
//  4. After the last round, or where only slow approaches remain, one last problem of all contacts stops
//     them.
// Every impulse acts on both bodies of its contact at the same point, at the poses of the end of the step
// (of a swept contact: at those in which the bodies met, contact/swept_contact.h). So
// momentum and angular momentum are kept to rounding, whether or not a problem was solved.
#pragma once

#include <optional>
#include <vector>

#include "physics/math/disjoint_sets.h"
#include "physics/solver/cone_solver.h"
#include "physics/solver/contact_solver.h"
#include "physics/solver/lemke_fixpoint.h"
#include "physics/solver/row_system.h"

namespace tenon::physics {

struct ImpactReport {
  bool solved = true;  ///< false: contacts still approach
  int rounds = 0;
};

/// Of one island at a time: begin(), setBody() of every body for which takesPart(), resolve().
class ImpactSolver {
 public:
  /// Solves impacts without friction by Baraff's method from now on; Newton's replaces it where it fails.
  void useBaraff(const BaraffOptions& options) { baraff_.emplace(options); }

  /// `problem` at the end of the step, linearized there with that state's directions, and the step's
  /// `solution`; `stopped`: the bodies did not move in it; `all`: every body takes part. False where no
  /// contact with restitution closed or moved. Allocates only while its workspace grows.
  bool begin(const LinearizedContacts& problem, const ContactSolution& solution, bool stopped, bool all);

  /// Whether a body belongs to a group with an impact. The others keep the velocity of the step.
  bool takesPart(int body) const { return takesPart_[body] != 0; }
  /// Fraction of the step's other velocity change that acted before the impact [-].
  double share() const { return share_; }
  /// Velocities at the end of the step without the impact, 6n [m/s, rad/s].
  const std::vector<double>& velocityWithoutImpact() const { return withoutImpact_; }

  /// Sets a body's velocity before the impact, at its pose at the end of the step, and the factor of M̂ there.
  void setBody(int body, const Vector6d& velocity, const Matrix6d& massFactor);
  ImpactReport resolve(const LinearizedContacts& problem);

  /// After the impact: velocities of the bodies that take part, 6n [m/s, rad/s].
  const std::vector<double>& velocity() const { return u_; }
  /// On body j of each row of `problem`: along its normal, and tangential [N s].
  double impulse(std::size_t row) const { return impulse_[row]; }
  const Vector3d& frictionImpulse(std::size_t row) const { return frictionImpulse_[row]; }

 private:
  /// The same bodies and joints with other rows and velocities.
  class Velocities : public ContactProblem {
    void linearize(const std::vector<double>&) override {}
  };
  enum class Approach { none, slow, fast };
  enum class Selection { support, fast, fastest, all };

  static double curvatureSpeed(const LinearizedContacts& problem, const ContactRow& row);
  static bool isResting(const LinearizedContacts& problem, const ContactRow& row,
                        std::span<const double> end);
  void findContacts(const LinearizedContacts& problem, const ContactSolution& solution, bool stopped);
  void findClosing(const LinearizedContacts& problem);
  bool findGroups(const LinearizedContacts& problem, const ContactSolution& solution, bool stopped);
  bool solveRows(bool isImpact);
  bool solveByBaraff();
  void solveWithoutImpact(const LinearizedContacts& problem, bool withSupport);
  double fractionUntilContact(const LinearizedContacts& problem);
  /// Bounces at a separation speed of w [m/s], of which the step's own acceleration gave a part.
  static bool bounces(const LinearizedContacts& problem, const ContactRow& row, double w);
  Approach approach(const LinearizedContacts& problem) const;
  void select(const LinearizedContacts& problem, Selection selection);
  bool solveRestitution(const LinearizedContacts& problem, double share);
  bool round(const LinearizedContacts& problem, Selection selection, double restitution);
  double energyGained(const LinearizedContacts& problem) const;
  void addImpulses(const LinearizedContacts& problem);

  Velocities work_;
  ScaledProblem scaled_;
  ConeSolver newton_;
  LemkeFixpoint lemke_;
  std::optional<RowSystem> baraff_;
  DisjointSets groups_;
  double share_ = 1;
  std::vector<char> acts_, closed_;        // by row: a contact of the impact; one that closed in the step
  std::vector<char> takesPart_, reached_;  // by body; reached_: an impulse changed it
  std::vector<int> selected_;              // rows of the problem that are in work_
  std::vector<double> u_, next_, withoutImpact_, y_, v_, impulse_;
  std::vector<int> all_;                            // 0, 1, … of the rows in work_
  std::vector<double> restitution_, roundImpulse_;  // by row of work_: e [-], and baraff_'s impulse [N s]
  std::vector<Vector3d> frictionImpulse_;
};

}  // namespace tenon::physics
