// The operation that linearizes an island's contacts at a trial state. What only reads or solves a linearized
// problem takes its LinearizedContacts; only iterations on distances take a ContactProblem.
#pragma once

#include <vector>

#include "physics/contact/linearized_contacts.h"

namespace tenon::physics {

class ContactProblem : public LinearizedContacts {
 public:
  virtual ~ContactProblem() = default;

  /// Moves the island to the trial state σ = s + Δt S u, computes the distances there and replaces `rows` and
  /// the joints' b0 and φ, in a fixed order. `u` has 6 entries for each body.
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
    double rate = joint.rateBias[row];
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
};

}  // namespace tenon::physics
