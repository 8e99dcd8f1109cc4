// The stages of a step, in the order in which World::step() calls them. Each takes the model, the state and
// the workspace as far as it needs them; what it changes is not const.
#pragma once

#include <span>

#include "physics/step/step_workspace.h"
#include "physics/step/world_model.h"
#include "physics/step/world_state.h"

namespace tenon::physics {

/// Executes the queued commands.
void applyCommands(const WorldModel& model, WorldState& state, StepWorkspace& work);
/// Where a hand's target is at the end of the substep: on the straight way from the last one.
Pose targetOf(const HandSlot& hand, const Substep& substep);
/// Couples drivers to screws at which they stand, uncouples those that are drawn off, and makes their joints.
void coupleDrivers(const WorldModel& model, WorldState& state, StepWorkspace& work);
/// True if a driver clicks: its solved torque exceeds its limit. The step is then solved again with this
/// limit.
bool clickDrivers(const WorldModel& model, WorldState& state, StepWorkspace& work);
/// Uncouples the drivers of this body, and those coupled to it.
void uncoupleDrivers(const WorldModel& model, WorldState& state, BodyId body);
/// The joints of this step: those of the model, and those of coupled drivers.
std::span<const PlacedJoint> jointsOf(const WorldModel& model, const StepWorkspace& work);
/// Torque of drivers that click in this step on a body, world axes [N m].
Vector3d clickTorque(const WorldModel& model, const WorldState& state, const StepWorkspace& work,
                     BodyId body);
/// Torques of coupled drivers, and their states in the result of the step.
void reportDrivers(const WorldModel& model, WorldState& state, const StepWorkspace& work);
/// M̂ and u_free of every body, from hands and external forces.
void computeFreeVelocities(const WorldModel& model, const WorldState& state, StepWorkspace& work);
/// Sets every body's search margin and builds the islands of bodies that can touch. `again`: after an attempt
/// in which a body moved further than its margin; margins only grow.
void findIslands(const WorldModel& model, const WorldState& state, StepWorkspace& work, bool again);
/// Solves every island, by all solvers only in a substep that cannot be divided. False if a body moved
/// further than its margin and may have met a body that was not searched.
bool solveIslands(const WorldModel& model, const WorldState& state, StepWorkspace& work);
/// Forgets the contacts between start and end of the last step.
void beginSweep(const WorldModel& model, StepWorkspace& work);
/// Sweeps the pairs that move far for their size along their solved motions. True if some meet that do not in
/// the present problems: their contacts then belong to the islands of the next attempt. When no attempt is
/// left their islands are held back instead.
bool sweepPairs(const WorldModel& model, StepWorkspace& work);
/// Holds back the islands of all bodies that still meet others on their solved motions.
void holdBackMeetings(const WorldModel& model, StepWorkspace& work);
/// Stores the solved forces in `state.warm`, from which the next attempt or step starts.
void storeForces(WorldState& state, StepWorkspace& work);
/// Velocities after impacts with restitution, and of islands that would gain energy otherwise.
void resolveImpacts(const WorldModel& model, const WorldState& state, StepWorkspace& work);
/// Fraction of its solved displacement that a body moves in the step [-]: less than 1 after a failed step
/// (SolveReport::fraction), 0 for a body that is held back.
double displacementFraction(const StepWorkspace& work, int body);
/// Velocity of a body after the step without its impact [m/s, rad/s].
Vector6d velocityAfter(const WorldModel& model, const WorldState& state, const StepWorkspace& work, int body);
/// True if the solution of an island gives its bodies more kinetic energy than they had and gained by weight
/// and other given forces; those that take part in `impact` (null: none) are left out. Of islands of free
/// bodies that failed or met others on their paths, or whose bodies turn far in the step: forces along fixed
/// directions may then do work.
bool gainsEnergy(const WorldModel& model, const WorldState& state, const StepWorkspace& work,
                 const IslandSlot& slot, const ImpactSolver* impact);
/// Pose of a body after the step: at that fraction.
Pose endPose(const StepWorkspace& work, int body);
/// True if an island of the substep was not solved.
bool hasFailedIsland(const StepWorkspace& work);
/// True if all islands and impacts of the substep are solved, and no body moved further than contacts were
/// searched.
bool isSolved(const StepWorkspace& work);
/// Writes the new state and the StepResult. A body whose next state is not finite keeps its own.
void acceptState(const WorldModel& model, WorldState& state, StepWorkspace& work);

// --- sleeping ----------------------------------------------------------------------------------------
/// Marks the islands that sleep in this step: those whose bodies have not moved for some time.
void markSleepingIslands(const WorldModel& model, const WorldState& state, StepWorkspace& work);
/// Restarts the count of still steps of every body.
void wakeAll(WorldState& state);
/// Counts the steps in which a body did not move, at the end of a step, and stores the accuracy of its solve.
void countStillSteps(const WorldModel& model, WorldState& state, const StepWorkspace& work);
/// True for a body of an island that sleeps in this step.
bool isSleeping(const IslandWork& islands, BodyId body);
/// True if contacts and forces between these bodies in the last step are also those of this step.
bool keepsContacts(const StepWorkspace& work, BodyId i, BodyId j);

}  // namespace tenon::physics
