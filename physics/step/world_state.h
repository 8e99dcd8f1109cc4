// Everything a later step depends on, as a value: a snapshot is a copy of it.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/solver/contact_solver.h"
#include "physics/step/command.h"
#include "physics/step/world_data.h"

namespace tenon::physics {

/// A hand between two steps.
struct HandSlot {
  HandState state;
  Pose lastTarget;  ///< target for the end of the last step
};

/// A driver between two steps.
struct DriverSlot {
  DriverState state;
  HexagonId hexagon;       ///< to which a joint guides it; invalid: none
  bool isEngaged = false;  ///< in the hexagon; else it stands on its mouth and turns freely
  double turn = 0;         ///< of the part that meets the hexagon against the handle, t [rad]
  /// When it was coupled, in the frame of the hexagon: where its axis met the mouth [m], its rotation vector
  /// [rad], the height of its tip [m].
  Vector3d offset = Vector3d::Zero(), misaligned = Vector3d::Zero();
  double height = 0;
  double closing = 0;  ///< share of these that is left, 1 to 0 [-]
  int slips = 0;       ///< −1: since a click the handle turns clockwise; 1: counter-clockwise; 0: engaged
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
  std::vector<DriverSlot> drivers;
  Dynamics dynamics;              ///< of the next step
  std::vector<double> thrusters;  ///< by ThrusterId: level, 0 to 1 [-]
  std::vector<WarmForce> warm;    ///< forces of the last step, sorted by key
  /// By body: acceleration by contacts, joints and drivers in the last substep [m/s², rad/s²].
  std::vector<Vector6d> contactAcceleration;
  ContactSet contacts;             ///< at these poses, as far as the last step has found them
  std::vector<int> stillSteps;     ///< by body: number of steps without motion, up to rounding
  std::vector<Accuracy> accuracy;  ///< by body: of the last solve of its island
  std::vector<Command> commands;   ///< queued for the next step
  StepResult result;               ///< of the last step
};

}  // namespace tenon::physics
