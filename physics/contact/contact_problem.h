// What a contact solver sees of the world: one island's bodies and contacts as numbers.
//
// n moving bodies, K contacts. u (6n) stacks (v_i, ω_i); M̂ is block diagonal. The problem is
//     0 ≤ f ⟂ δ(σ(f)) ≥ 0,   u = u_free + Δt M̂⁻¹ G f,   σ(f) = s + Δt S u,
// and linearise(u') replaces δ by its first-order model around the trial state s' = s + Δt S u':
//     δ_k ≈ b_k + Δt G_kᵀ u,   b_k = δ_k(s') − Δt G_kᵀ u'.
// With friction, G f gains T f_t: |f_t| ≤ μ f, against the sliding T_kᵀ u + tangentialBias where there is any
// (Coulomb, static = kinetic). Joints add equations φ(σ) = 0 with forces λ of either sign (joint_rows.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "physics/collision/contact.h"
#include "physics/joint/joint_space.h"

namespace tenon::physics {

/// The 6-block (v_i, ω_i) of body i in a stacked vector.
inline Eigen::Map<Vector6d> block(std::span<double> stacked, int i) {
  return Eigen::Map<Vector6d>(stacked.data() + 6 * i);
}
inline Eigen::Map<const Vector6d> block(std::span<const double> stacked, int i) {
  return Eigen::Map<const Vector6d>(stacked.data() + 6 * i);
}

/// Which contact this is: the same from step to step while it lasts.
struct ContactKey {
  std::uint64_t pair = 0;     ///< bodies i (high half) and j (low half)
  std::uint64_t feature = 0;  ///< Contact::feature
  std::uint32_t kept = 0;     ///< 0: found at the last trial state; else a number of solver/kept_rows
  auto operator<=>(const ContactKey&) const = default;
  ContactKey asFound() const { return {pair, feature, 0}; }

  /// The end of a joint's way (`end`: which of its ends), or a flank of its thread, has no bodies: it stands
  /// behind all contacts.
  static ContactKey ofLimit(int joint, int end) {
    return {kLimits | static_cast<std::uint32_t>(joint), static_cast<std::uint64_t>(end), 0};
  }
  bool isLimit() const { return (pair & kLimits) != 0; }
  /// Of a contact: its bodies.
  BodyId i() const { return {static_cast<int>(pair >> 32)}; }
  BodyId j() const { return {static_cast<int>(pair & 0xffffffffu)}; }
  /// Of a limit: the joint.
  int joint() const { return static_cast<int>(pair & 0xffffffffu); }

 private:
  static constexpr std::uint64_t kLimits = 1ull << 63;
};

/// The two tangents of a contact as columns, like a block of G_k.
using Tangents = Eigen::Matrix<double, 6, 2>;
using Directions = Eigen::Matrix<double, 3, 2>;

/// One linearised contact, or the end of a joint's way (`key.isLimit()`, δ the way left [m or rad], `contact`
/// without point and normal), or a flank of a thread (thread_flanks.h; also `key.isLimit()`). Column k of G
/// has at most two 6-blocks, and at least one.
struct ContactRow {
  int a = -1, b = -1;  ///< index of the moving bodies i and j in the island; −1: does not move by forces
  Vector6d Ga = Vector6d::Zero(),
           Gb = Vector6d::Zero();  ///< blocks of G_k: (−n, −r_i × n) and (n, r_j × n) [1, m]
  double b0 = 0;                   ///< b_k: the linear model at u = 0 [m]
  double normalBias =
      0;  ///< share in the speed of parting of bodies that forces do not move [m/s]; in b0 already
  double restitution = 0;  ///< Newton's e [-]
  double mu = 0;           ///< Coulomb's coefficient of friction [-]; 0: what follows is not used
  Vector3d ra = Vector3d::Zero(), rb = Vector3d::Zero();  ///< r_i and r_j: arms of the point [m]
  Eigen::Vector2d tangentialBias =
      Eigen::Vector2d::Zero();        ///< share of bodies that forces do not move [m/s]
  Vector3d slide = Vector3d::Zero();  ///< of a thread's flank: unit vector of its only tangent, world axes
  double compliance = 0;              ///< by which the surfaces yield to the normal force [m/N]
  bool rigid = true;  ///< the materials do not yield: what compliance there is serves the solvers
  Contact contact;    ///< as found at the state of the last linearise(), with δ_k there
  ContactKey key;

  /// Two tangents t ⟂ n, world axes: what T_k is linear in. Zero of a limit, which has no point; a flank has
  /// one, `slide`.
  Directions directions() const {
    Directions both;
    if (key.isLimit()) {
      both << slide, Vector3d::Zero();
      return both;
    }
    const Vector3d first = contact.n.unitOrthogonal();
    both << first, contact.n.cross(first);
    return both;
  }
  /// Blocks of T_k: (−t, −r_i × t) and (t, r_j × t); T_kᵀ u + tangentialBias is the speed at which body j
  /// slides over body i. Not kept: without friction nobody asks, and rows are many.
  Tangents Ta() const { return -tangentsAt(ra); }
  Tangents Tb() const { return tangentsAt(rb); }

 private:
  Tangents tangentsAt(const Vector3d& arm) const {
    const Directions both = directions();
    Tangents block;
    for (int t = 0; t < 2; ++t) block.col(t) << both.col(t), arm.cross(both.col(t));
    return block;
  }
};

class ContactProblem {
 public:
  virtual ~ContactProblem() = default;

  /// Moves the island to the trial state σ = s + Δt S u, asks for the distances there and rebuilds
  /// `rows`, in a fixed order. `u` has 6 entries for each body.
  virtual void linearize(const std::vector<double>& u) = 0;

  /// δ_k by the linear model at u [m].
  double distance(const ContactRow& row, std::span<const double> u) const {
    double separation = row.b0;
    if (row.a >= 0) separation += dt * row.Ga.dot(block(u, row.a));
    if (row.b >= 0) separation += dt * row.Gb.dot(block(u, row.b));
    return separation;
  }

  /// Speed at which a row's surfaces part at velocities u, by its normals as they are [m/s].
  static double separationSpeed(const ContactRow& row, std::span<const double> u) {
    double speed = row.normalBias;
    if (row.a >= 0) speed += row.Ga.dot(block(u, row.a));
    if (row.b >= 0) speed += row.Gb.dot(block(u, row.b));
    return speed;
  }

  /// Velocity at which body j slides over body i at velocities u, along the row's tangents as they are [m/s].
  static Eigen::Vector2d slidingVelocity(const ContactRow& row, std::span<const double> u) {
    Eigen::Vector2d speed = row.tangentialBias;
    if (row.a >= 0) speed += row.Ta().transpose() * block(u, row.a);
    if (row.b >= 0) speed += row.Tb().transpose() * block(u, row.b);
    return speed;
  }

  /// Rate of a joint's equation `row` at velocities u [m/s or rad/s].
  static double jointRate(const JointRows& joint, int row, std::span<const double> u) {
    double rate = joint.normalBias[row];
    if (joint.a >= 0) rate += joint.Ga.col(row).dot(block(u, joint.a));
    if (joint.b >= 0) rate += joint.Gb.col(row).dot(block(u, joint.b));
    return rate;
  }

  /// Δt² A_kk: how far a force on this contact moves its surfaces apart in the step [m/N].
  double effectiveCompliance(const ContactRow& row) const {
    double coupling = 0;
    if (row.a >= 0) coupling += massFactor[row.a].triangularView<Eigen::Lower>().solve(row.Ga).squaredNorm();
    if (row.b >= 0) coupling += massFactor[row.b].triangularView<Eigen::Lower>().solve(row.Gb).squaredNorm();
    return dt * dt * coupling;
  }

  /// Pairs may keep the contacts found last, with the distances of the same points by their linear model,
  /// while a plane proves that they overlap by no more than this [m]. 0: all are asked anew.
  double reuseBelowOverlap = 0;

  int bodies() const { return static_cast<int>(massFactor.size()); }
  int contacts() const { return static_cast<int>(rows.size()); }

  double dt = 0;  ///< Δt [s]
  /// Lower Cholesky factor L of each body's M̂ = L Lᵀ ([√kg], [√kg m]).
  std::vector<Matrix6d> massFactor;
  std::vector<double> freeVelocity;  ///< u_free, 6n [m/s, rad/s]
  /// Velocity at the start of the step, 6n [m/s, rad/s]: what solvers of accelerations begin with. Empty:
  /// that is u_free, and nothing but contacts accelerates.
  std::vector<double> startVelocity;
  /// Where the first trial state is taken, 6n [m/s, rad/s]. Near the solution it saves a trial; and it
  /// decides at corners: a point that passes an edge of the other part in this step is not to be stopped by
  /// the face it leaves.
  std::vector<double> predicted;
  std::vector<ContactRow> rows;
  /// b0 and φ as of the last linearise(); all else is that of the start of the step.
  std::vector<JointRows> joints;
  JointSpace space;  ///< of `joints`; whoever fills these builds it
};

}  // namespace tenon::physics
