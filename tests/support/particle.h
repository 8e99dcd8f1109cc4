// A contact problem of one particle, whose surroundings a test makes up: for iterations on distances.
#pragma once

#include <cmath>
#include <vector>

#include "physics/contact/contact_problem.h"

namespace tenon::tests {

using physics::ContactProblem;
using physics::ContactRow;
using physics::Matrix6d;
using physics::Vector3d;

/// One particle at `start` with the free velocity `v`; derived classes say what it may touch.
class Particle : public ContactProblem {
 public:
  Particle(double m, double step, const Vector3d& from, const Vector3d& v) : mass(m), start(from) {
    dt = step;
    massFactor = {Matrix6d(std::sqrt(m) * Matrix6d::Identity())};
    freeVelocity = {v.x(), v.y(), v.z(), 0, 0, 0};
  }
  void linearize(const std::vector<double>& u) override {
    trials.push_back(start + dt * Vector3d(u[0], u[1], u[2]));
    rows.clear();
    touch(trials.back());
    for (ContactRow& row : rows) row.contact.p = trials.back();
    for (ContactRow& row : rows)
      row.b0 = row.contact.separation - dt * row.Gb.dot(physics::block(std::span(u), 0));
  }
  Vector3d free() const { return start + dt * Vector3d(freeVelocity[0], freeVelocity[1], freeVelocity[2]); }

  double mass;
  Vector3d start;
  std::vector<Vector3d> trials;  ///< the trial positions so far

 protected:
  virtual void touch(const Vector3d& p) = 0;
  void addContact(double separation, const Vector3d& gradient) {
    ContactRow row;
    row.b = 0;
    row.Ga.setZero();
    row.Gb << gradient, Vector3d::Zero();
    row.contact.separation = separation;
    row.contact.n = gradient.normalized();
    row.key.feature = rows.size();
    rows.push_back(row);
  }
};

}  // namespace tenon::tests
