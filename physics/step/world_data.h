// Input and output of a world: descriptions of bodies, options, and the result of a step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "physics/body/body_state.h"
#include "physics/body/mass_properties.h"
#include "physics/collision/contact.h"
#include "physics/collision/geometry/shape.h"
#include "physics/joint/driver.h"
#include "physics/joint/joint.h"
#include "physics/solver/solver_name.h"
#include "physics/solver/solver_options.h"
#include "physics/step/dynamics.h"
#include "physics/step/step_report.h"

namespace tenon::physics {

/// The constants of a body, and its initial state.
struct BodyDescription {
  std::string name;                         ///< for messages and World::findBody()
  Shape shape;                              ///< in the part's frame P
  MassProperties mass;                      ///< in the part's frame; ignored unless dynamic
  MotionType motion = MotionType::dynamic;  ///< whether forces move it
  Pose X_WP;                                ///< start pose of the part's frame
  Vector3d v = Vector3d::Zero();            ///< start velocity of the center of mass [m/s]
  Vector3d omega = Vector3d::Zero();        ///< start angular velocity [rad/s]
  MaterialId material;                      ///< of its surface
};

/// Constants of a world.
struct WorldOptions {
  double dt = 1e-3;                           ///< time step Δt [s]
  Vector3d gravity{0, 0, -9.81};              ///< [m/s²]
  SolverName solver = SolverName::automatic;  ///< of the contact problems
  SolverOptions solverOptions{};              ///< and its options
  int threads = 1;                            ///< for islands; changes no bit of the result
  /// Parts that lie still keep their place and their forces (step/sleeping.cpp); false solves them in every
  /// step.
  bool allowSleep = true;
  double linearDamping = 0;   ///< as in Dynamics, at the start [1/s]
  double angularDamping = 0;  ///< likewise [1/s]
};

/// A contact and its force in the step: with weight, joints and hands, these forces moved the bodies. If
/// several points of one edge carried force, each is an entry, with the same feature.
struct ContactForce {
  Contact contact;   ///< point and normal where the force acted; separation of the new state
  double force = 0;  ///< f, along the normal; positive separates i and j [N]
  Vector3d friction = Vector3d::Zero();  ///< tangential force on j; the opposite acts on i [N]
  Vector3d impulse = Vector3d::Zero();   ///< on j, of an impact at the end of the step [N s]
  double mu = 0;                         ///< Coulomb's coefficient of friction [-]
};

/// A hand at the end of a step.
struct HandState {
  Pose X_WH;                           ///< target
  BodyId body;                         ///< the held body; invalid: none
  Pose X_CH;                           ///< hand in the held body's frame C, constant from the grab on
  Vector3d force = Vector3d::Zero();   ///< on the part at the grabbed point, without the carried weight [N]
  Vector3d torque = Vector3d::Zero();  ///< on the part [N m]
  bool lost = false;                   ///< lost the part in this step (break distance)
};

/// The result of one step, as a value: the only source of recorder, assessment, rendering and tests. Its
/// vectors keep their capacity from step to step.
struct StepResult {
  std::int64_t step = 0;               ///< steps done since time 0
  double time = 0;                     ///< [s]
  std::vector<BodyState> bodies;       ///< by BodyId
  std::vector<HandState> hands;        ///< by HandId
  std::vector<ContactForce> contacts;  ///< grouped by island
  std::vector<JointState> joints;      ///< by JointId
  Dynamics dynamics;                   ///< that acted in the step
  std::vector<DriverState> drivers;    ///< by DriverId
  std::vector<double> thrusters;       ///< by ThrusterId: level in the step, 0 to 1 [-]
  StepReport report;                   ///< accuracy, effort, failures
};

}  // namespace tenon::physics
