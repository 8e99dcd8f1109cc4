// The contact problem of one island, linearized at a trial state: plain values.
//
// n moving bodies, K contacts. u (6n) stacks (v_i, ω_i); M̂ is block diagonal. The problem is
//     0 ≤ f ⟂ δ(σ(f)) ≥ 0,   u = u_free + Δt M̂⁻¹ G f,   σ(f) = s + Δt S u,
// and its linearization at u' replaces δ by the first-order model around the trial state s' = s + Δt S u':
//     δ_k ≈ b_k + Δt J_kᵀ u,   b_k = δ_k(s') − Δt J_kᵀ u'.
// J_k is the gradient of δ_k at s'; G_k are the directions in which forces act, those of s or of s'. They are
// equal unless a force with friction acts along the directions of the start of the step.
// With friction, G f gains T f_t: |f_t| ≤ μ f, opposite to the sliding velocity T_kᵀ u + tangentialBias
// (Coulomb, static = kinetic). Joints add equations φ(σ) = 0 with forces λ of either sign (joint_rows.h).
#pragma once

#include <algorithm>
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

/// Identity of a contact: the same in all steps in which it exists.
struct ContactKey {
  std::uint64_t pair = 0;     ///< bodies i (high half) and j (low half)
  std::uint64_t feature = 0;  ///< Contact::feature
  /// 0: found at the last trial state; else the number of a cutting plane or of a swept contact.
  std::uint32_t cutIndex = 0;
  auto operator<=>(const ContactKey&) const = default;
  ContactKey withoutCut() const { return {pair, feature, 0}; }

  /// Key of contact `number` found between the start and the end of the step (swept_contact.h).
  ContactKey ofSwept(std::uint32_t number) const { return {pair, feature, kSwept | number}; }
  bool isSwept() const { return (cutIndex & kSwept) != 0; }

  /// Key of a joint's limit (`end`: which one) or thread flank. It has no bodies and sorts behind all
  /// contacts.
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
  static constexpr std::uint32_t kSwept = 1u << 31;
};

/// The two tangents of a contact as columns, like a block of G_k.
using Tangents = Eigen::Matrix<double, 6, 2>;
using Directions = Eigen::Matrix<double, 3, 2>;

/// One linearized contact, joint limit (`key.isLimit()`; δ is the travel left [m or rad], `contact` has no
/// point and normal) or thread flank (thread_flanks.h; also `key.isLimit()`). Column k of G has one or two
/// 6-blocks.
struct ContactRow {
  int a = -1, b = -1;              ///< indices of bodies i and j in the island; −1: forces do not move it
  Vector6d Ga = Vector6d::Zero();  ///< block of G_k for body i: (−n, −r_i × n) [1, m]
  Vector6d Gb = Vector6d::Zero();  ///< block of G_k for body j: (n, r_j × n) [1, m]
  /// Blocks of J_k, where `isTilted`: the gradient of δ_k, at the trial state. Else those of G_k are it.
  Vector6d Ja = Vector6d::Zero(), Jb = Vector6d::Zero();
  bool isTilted = false;
  double b0 = 0;           ///< b_k: the linear model at u = 0 [m]
  double normalBias = 0;   ///< separation speed from bodies with given motion [m/s]; included in b0
  double restitution = 0;  ///< Newton's e [-]
  double mu = 0;           ///< Coulomb's coefficient of friction [-]; if 0, `ra` to `slide` are not used
  Vector3d ra = Vector3d::Zero(), rb = Vector3d::Zero();     ///< r_i and r_j: arms of the force [m]
  Eigen::Vector2d tangentialBias = Eigen::Vector2d::Zero();  ///< sliding velocity from such bodies [m/s]
  Vector3d slide = Vector3d::Zero();  ///< of a thread flank: unit vector of its only tangent, world axes
  double compliance = 0;              ///< of the surfaces under normal force [m/N]
  bool rigid = true;                  ///< the materials are rigid: `compliance` only regularizes the problem
  Contact contact;                    ///< as found at the last trial state, with δ_k there
  ContactKey key;

  /// Where the force acts: at the start of the step if the contact exists there, else as `contact` [m].
  Vector3d point = Vector3d::Zero();
  /// Its force acts as at the start of the step, where its surfaces touched; forces do not move one of them.
  bool followsTrack = false;
  /// Change of the separation speed at the velocities of the start by the rotation of the normal in the step,
  /// where followsTrack [m/s]: no approach. Set by directAtTrial().
  double normalRotationSpeed = 0;

  /// Sets b_k from δ_k and the blocks, at the trial state that u (6n) leads to. Moved along n, the distance
  /// of a row that is not tilted changes by n·n' of the displacement; a compliant one is the force's measure.
  void linearizeAt(std::span<const double> u, double dt) {
    b0 = contact.separation / (rigid && !isTilted ? normal().dot(contact.n) : 1.0);
    if (a >= 0) b0 -= dt * gradientA().dot(block(u, a));
    if (b >= 0) b0 -= dt * gradientB().dot(block(u, b));
  }

  const Vector6d& gradientA() const { return isTilted ? Ja : Ga; }
  const Vector6d& gradientB() const { return isTilted ? Jb : Gb; }

  /// n of the force, from body i into body j, of the same time as `point`.
  Vector3d normal() const { return Gb.head<3>(); }

  /// Two tangents t ⟂ n, world axes, in which T_k is linear. Zero for a limit, which has no point; a flank
  /// has one, `slide`.
  Directions directions() const {
    Directions both;
    if (key.isLimit()) {
      both << slide, Vector3d::Zero();
      return both;
    }
    const Vector3d n = normal(), first = n.unitOrthogonal();
    both << first, n.cross(first);
    return both;
  }
  /// Blocks of T_k: (−t, −r_i × t) and (t, r_j × t); T_kᵀ u + tangentialBias is the velocity at which body j
  /// slides over body i. Computed on demand: rows are many, and only friction needs it.
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

/// The first row whose key is not less than `key`, of rows sorted by key.
inline std::vector<ContactRow>::const_iterator lowerBound(const std::vector<ContactRow>& rows,
                                                          const ContactKey& key) {
  return std::lower_bound(rows.begin(), rows.end(), key,
                          [](const ContactRow& row, const ContactKey& other) { return row.key < other; });
}
/// The row with `key`, of rows sorted by key; null where there is none.
inline const ContactRow* findRow(const std::vector<ContactRow>& rows, const ContactKey& key) {
  const auto at = lowerBound(rows, key);
  return at != rows.end() && at->key == key ? &*at : nullptr;
}

struct LinearizedContacts {
  double dt = 0;        ///< Δt [s]
  double lastStep = 1;  ///< length of the step or substep before, relative to it [-]
  /// Lower Cholesky factor L of each body's M̂ = L Lᵀ ([√kg], [√kg m]).
  std::vector<Matrix6d> massFactor;
  std::vector<double> freeVelocity;  ///< u_free, 6n [m/s, rad/s]
  /// Velocity at the start of the step, 6n [m/s, rad/s], for solvers of accelerations. Empty: u_free, so that
  /// only contacts accelerate.
  std::vector<double> startVelocity;
  /// Velocity of the first trial state, 6n [m/s, rad/s]. Near the solution it saves a trial. At corners it
  /// selects the face: a point that passes an edge in this step must not be stopped by the face it leaves.
  std::vector<double> predicted;
  std::vector<ContactRow> rows;  ///< sorted by key; limits and flanks last
  /// b0 and φ at the last trial state; directions at the start of the step.
  std::vector<JointRows> joints;
  JointSpace space;  ///< of `joints`

  int bodies() const { return static_cast<int>(massFactor.size()); }
  int contacts() const { return static_cast<int>(rows.size()); }

  /// δ_k by the linear model at u [m].
  double distance(const ContactRow& row, std::span<const double> u) const {
    double separation = row.b0;
    if (row.a >= 0) separation += dt * row.gradientA().dot(block(u, row.a));
    if (row.b >= 0) separation += dt * row.gradientB().dot(block(u, row.b));
    return separation;
  }

  /// Separation speed of a row's surfaces at velocities u, along its present normal [m/s].
  static double separationSpeed(const ContactRow& row, std::span<const double> u) {
    double speed = row.normalBias;
    if (row.a >= 0) speed += row.Ga.dot(block(u, row.a));
    if (row.b >= 0) speed += row.Gb.dot(block(u, row.b));
    return speed;
  }

  /// Velocity at which body j slides over body i at velocities u, along the row's present tangents [m/s].
  static Eigen::Vector2d slidingVelocity(const ContactRow& row, std::span<const double> u) {
    Eigen::Vector2d speed = row.tangentialBias;
    if (row.a >= 0) speed += row.Ta().transpose() * block(u, row.a);
    if (row.b >= 0) speed += row.Tb().transpose() * block(u, row.b);
    return speed;
  }

  /// Rate of a joint's equation `row` at velocities u [m/s or rad/s].
  static double jointRate(const JointRows& joint, int row, std::span<const double> u) {
    double rate = joint.rateBias[row];
    if (joint.a >= 0) rate += joint.Ga.col(row).dot(block(u, joint.a));
    if (joint.b >= 0) rate += joint.Gb.col(row).dot(block(u, joint.b));
    return rate;
  }

  /// Δt² A_kk: separation per force on this contact in one step [m/N].
  double effectiveCompliance(const ContactRow& row) const {
    double coupling = 0;
    if (row.a >= 0) coupling += massFactor[row.a].triangularView<Eigen::Lower>().solve(row.Ga).squaredNorm();
    if (row.b >= 0) coupling += massFactor[row.b].triangularView<Eigen::Lower>().solve(row.Gb).squaredNorm();
    return dt * dt * coupling;
  }
};

}  // namespace tenon::physics
