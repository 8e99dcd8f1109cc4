// A peg, a plate with a hole, and synthetic steps: the input of an assessment without an engine.
#pragma once

#include "content/model/scene.h"
#include "physics/world.h"

namespace tenon::tests {

/// Part 0: a fixed plate whose frame is turned and moved, with hole "h" (radius 5 mm, lead-in 1 mm)
/// off its middle. Part 1: a dynamic peg (radius 4.9 mm, length 40 mm) with feature "tip" at z = 0,
/// pointing along −z, and its centre of mass 20 mm above. Goal 0: the tip 20 ± 0.1 mm deep, tilted by
/// at most 0.01 rad, within 2 s. One hand.
inline content::Scene goalScene() {
  using physics::Quaterniond;
  using physics::Vector3d;
  content::Scene scene;
  scene.name = "hand-made";
  scene.file = "hand-made.json";
  content::Part plate;
  plate.name = "plate";
  plate.motion = physics::MotionType::fixed;
  plate.shape = physics::FacetedBlock{
      Vector3d(0.05, 0.05, 0.02), {{"h", {0.01, -0.02}, 0.005, 0.001, 0.001, 0.04}}, 64};
  plate.X_WP = {Quaterniond(Eigen::AngleAxisd(1.1, Vector3d(1, 2, 3).normalized())),
                Vector3d(0.3, -0.1, 0.2)};
  plate.mass.center = Vector3d(7, 7, 7);  // means nothing for a fixed part
  content::Part peg;
  peg.name = "peg";
  peg.mass.mass = 0.1;
  peg.mass.center = Vector3d(0, 0, 0.02);
  peg.shape =
      physics::Compound{{{physics::Cylinder{0.0049, 0.02}, {Quaterniond::Identity(), Vector3d(0, 0, 0.02)}}}};
  peg.features = {{"tip", Vector3d::Zero(), Vector3d(0, 0, -1)}};
  scene.parts = {plate, peg};
  content::Goal goal;
  goal.part = 1;
  goal.feature = 0;
  goal.into = 0;
  goal.hole = "h";
  goal.X_IH.p = Vector3d(0.01, -0.02, 0.02);
  goal.depth = 0.02;
  goal.depthTolerance = 1e-4;
  goal.tiltTolerance = 0.01;
  goal.timeLimit = 2;
  scene.goals = {goal};
  scene.hands.resize(1);
  return scene;
}

/// How the peg stands in the hole of goalScene().
struct Standing {
  double time = 0;
  double depth = 0;    ///< of the tip [m]
  double lateral = 0;  ///< of the tip [m]
  double tilt = 0;     ///< about the tip [rad]
  double push = 0;     ///< resistance along the hole's axis [N]
  bool held = true;
};

/// The tick in which the peg stands so. The push comes as two contacts with sideways parts, in either
/// order of bodies as `pegFirst` says.
inline physics::StepResult tickOf(const content::Scene& scene, const Standing& s, bool pegFirst = false) {
  using physics::Pose;
  using physics::Quaterniond;
  using physics::Vector3d;
  physics::StepResult tick;
  tick.time = s.time;
  const Pose X_WH = scene.parts[0].X_WP * scene.goals[0].X_IH;
  const Pose X_HP{Quaterniond(Eigen::AngleAxisd(s.tilt, Vector3d::UnitX())),
                  Vector3d(0, s.lateral, -s.depth)};
  const Pose X_PC{Quaterniond::Identity(), scene.parts[1].mass.center};
  tick.bodies.resize(2);
  tick.bodies[0].X_WC = scene.parts[0].X_WP;
  tick.bodies[1].X_WC = X_WH * X_HP * X_PC;
  tick.hands.resize(1);
  if (s.held) tick.hands[0].body = physics::BodyId{1};
  for (const double side : {-1.0, 1.0}) {
    physics::ContactForce contact;
    // Forces on the peg: 45° inwards from two sides, so that the sideways parts cancel.
    const Vector3d onPeg_W = X_WH.q * Vector3d(side, 0, 1).normalized();
    contact.contact.i = physics::BodyId{pegFirst ? 1 : 0};
    contact.contact.j = physics::BodyId{pegFirst ? 0 : 1};
    contact.contact.n = pegFirst ? Vector3d(-onPeg_W) : onPeg_W;
    contact.force = 0.5 * s.push * std::sqrt(2.0);
    tick.contacts.push_back(contact);
  }
  return tick;
}

}  // namespace tenon::tests
