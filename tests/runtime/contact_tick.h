// Ticks of goalScene() with contacts put where they are wanted, and the hand's load that balances them.
#pragma once

#include <vector>

#include "runtime/assess/insertion_contact.h"
#include "runtime/assess/insertion_view.h"
#include "runtime/assess/jam_diagnosis.h"
#include "tests/runtime/goal_scene.h"

namespace tenon::tests {

/// A contact of the peg with the plate, as it acts on the peg.
struct PegContact {
  physics::Vector3d p_P = physics::Vector3d::Zero();         ///< in the peg's frame [m]
  physics::Vector3d n_H = physics::Vector3d::UnitZ();        ///< in the hole's, into the peg
  double force = 0;                                          ///< along n [N]
  physics::Vector3d friction_H = physics::Vector3d::Zero();  ///< on the peg [N]
  double mu = 0;
};

/// A peg that stands so, tilted about the hole's x by `standing.tilt`: its top leans to −y.
class ContactTick {
 public:
  explicit ContactTick(const content::Scene& scene, const Standing& standing, bool pegFirst = false)
      : pegFirst_(pegFirst), tick(tickOf(scene, standing, pegFirst)) {
    tick.contacts.clear();
    X_WH_ = scene.parts[0].X_WP * scene.goals[0].X_IH;
    X_WP_ = tick.bodies[1].X_WC * physics::Pose::at(-scene.parts[1].mass.center);
  }

  /// A peg that stands at this pose.
  ContactTick(const content::Scene& scene, const physics::Pose& X_HP, bool pegFirst)
      : ContactTick(scene, Standing(), pegFirst) {
    tick.report.converged = true;
    X_WP_ = X_WH_ * X_HP;
    tick.bodies[1].X_WC = X_WP_ * physics::Pose::at(scene.parts[1].mass.center);
  }

  /// The point of the peg's surface on side y = ±radius that is `depth` below the mouth.
  physics::Vector3d shankAt(double y, double depth) const {
    const physics::Pose X_HP = X_WH_.inverse() * X_WP_;
    const double z = X_HP.q.toRotationMatrix()(2, 2);
    return {0, y, (-depth - (X_HP * physics::Vector3d(0, y, 0)).z()) / z};
  }

  ContactTick& add(const PegContact& c) {
    const double sign = pegFirst_ ? -1 : 1;
    physics::ContactForce contact;
    contact.contact.i = physics::BodyId{pegFirst_ ? 1 : 0};
    contact.contact.j = physics::BodyId{pegFirst_ ? 0 : 1};
    contact.contact.p = X_WP_ * c.p_P;
    contact.contact.n = sign * (X_WH_.q * c.n_H.normalized());
    contact.force = c.force;
    contact.friction = sign * (X_WH_.q * c.friction_H);
    contact.mu = c.mu;
    tick.contacts.push_back(contact);
    return *this;
  }

  /// A force and a moment about the tip, from a hand that grabbed the peg off its centre. In the frame H.
  ContactTick& load(const physics::Vector3d& force_H, const physics::Vector3d& moment_H) {
    const physics::Pose& X_WC = tick.bodies[1].X_WC;
    physics::HandState& hand = tick.hands[0];
    hand.body = physics::BodyId{1};
    hand.X_CH.p = physics::Vector3d(0.003, -0.002, 0.011);
    hand.force = X_WH_.q * force_H;
    hand.torque = X_WH_.q * moment_H - (X_WC * hand.X_CH.p - X_WP_.p).cross(hand.force);
    return *this;
  }

  /// The load that holds the contacts added so far in balance.
  ContactTick& balance() {
    physics::Vector3d force = physics::Vector3d::Zero(), moment = force;
    for (const physics::ContactForce& c : tick.contacts) {
      const physics::Vector3d onPeg = (pegFirst_ ? -1.0 : 1.0) * (c.force * c.contact.n + c.friction);
      force -= onPeg;
      moment -= (c.contact.p - X_WP_.p).cross(onPeg);
    }
    return load(X_WH_.q.conjugate() * force, X_WH_.q.conjugate() * moment);
  }

 private:
  bool pegFirst_;
  physics::Pose X_WH_, X_WP_;

 public:
  physics::StepResult tick;
};

/// Of the scene's goal.
inline runtime::Diagnosis diagnosisOf(const content::Scene& scene, const physics::StepResult& tick) {
  const runtime::InsertionView view(scene, scene.goals[0]);
  const runtime::InsertionFit fit = runtime::insertionFitOf(scene, scene.goals[0]);
  const runtime::InsertionPose stand = view.insertionPoseAt(tick);
  std::vector<runtime::InsertionContactPoint> points;
  view.contactPoints(tick, stand, points);
  return runtime::diagnose(tick.time, stand, runtime::classifyContact(points, fit, stand.tilt()),
                           view.loadAt(tick, stand), fit);
}

}  // namespace tenon::tests
