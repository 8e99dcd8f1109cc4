// Everything a later step depends on, as a value: a snapshot is a copy of it.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/joint/screw_joint.h"
#include "physics/solver/contact_solver.h"
#include "physics/step/command.h"
#include "physics/step/world_data.h"

namespace tenon::physics {

/// A hand between two steps.
struct HandSlot {
  HandState state;
  Pose lastTarget;  ///< target for the end of the last step
};

/// The options that decide about forces: with others, the forces of a sleeping island are no longer its own.
struct ForceLaw {
  double dt = 0;  ///< time step [s]
  SolverName solver = SolverName::automatic;
  Dynamics start;  ///< at time 0
  Accuracy accuracy = Accuracy::exact;

  bool operator==(const ForceLaw& other) const = default;
};

/// With the same WorldModel, equal states lead to equal bytes in all later steps.
struct WorldState {
  ForceLaw law;           ///< of the world whose state it is
  std::int64_t step = 0;  ///< steps done since time 0
  std::vector<BodyState> bodies;
  std::vector<HandSlot> hands;
  Dynamics dynamics;                         ///< of the next step
  std::vector<double> thrusters;             ///< by ThrusterId: level, 0 to 1 [-]
  std::vector<WarmForce> warm;               ///< forces of the last step, sorted by key
  ContactSet contacts;                       ///< at these poses, as far as the last step has found them
  std::vector<ScrewJointState> screwJoints;  ///< by joint
  std::vector<int> stillSteps;               ///< by body: number of steps without motion, up to rounding
  std::vector<Accuracy> accuracy;            ///< by body: of the last solve of its island
  std::vector<Command> commands;             ///< queued for the next step
  StepResult result;                         ///< of the last step
};

}  // namespace tenon::physics
