// The inside of the world: everything a step reads and writes. The files beside this one are the stages
// of a step, in the order in which world.cpp calls them.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "physics/contact/island_problem.h"
#include "physics/contact/islands.h"
#include "physics/contact/surfaces.h"
#include "physics/hand/hand_coupling.h"
#include "physics/joint/screw_joint.h"
#include "physics/solver/impact_solver.h"
#include "physics/solver/solver_chain.h"
#include "physics/step/command.h"
#include "physics/step/distance_cache.h"
#include "physics/step/island_workers.h"
#include "physics/step/world_data.h"

namespace tenon::physics {

/// A body: what never changes.
struct Body {
  BodyDescription description;
  Vector3d p_CP = Vector3d::Zero();  ///< origin of the part's frame from the centre of mass, part's axes [m]
  double mass = 0;                   ///< [kg], 0 unless dynamic
  Matrix3d inertia = Matrix3d::Zero();
  double radius = 0;  ///< of the body about its centre of mass [m]
};

/// A hand between steps.
struct HandSlot {
  HandState state;
  Pose lastTarget;  ///< where the hand was to be at the end of the last step
};

/// One island in one step.
struct IslandSlot {
  /// It stays as it is, with the forces of the last step: nothing else here means anything.
  bool isSleeping = false;
  IslandProblem problem;
  ContactSolution solution;
  ChainReport report;
  std::vector<Vector3d> impulse;  ///< of impacts on body j, by row of the problem [N s]; empty: none
};

/// Everything a later step depends on, as a value.
struct Snapshot {
  double dt = 0;  ///< time step of the world that it is of [s], and what else decides about its forces
  SolverName solver = SolverName::automatic;
  Vector3d gravity = Vector3d::Zero();  ///< [m/s²]
  std::int64_t step = 0;
  std::vector<BodyState> bodies;
  std::vector<HandSlot> hands;
  std::vector<WarmForce> warm;
  std::vector<ScrewJointState> screwJoints;
  std::vector<int> stillSteps;
  std::vector<Command> commands;
  StepResult tick;
};

struct StepState {
  WorldOptions options;
  std::unique_ptr<Collider> collider;
  std::vector<Body> bodies;
  std::vector<bool> dynamic;
  std::vector<HandParameters> handParameters;
  std::vector<MaterialId> material;                               ///< of every body
  double minThickness = std::numeric_limits<double>::infinity();  ///< least thickness of a body [m]
  SurfaceTable surfaces;
  std::vector<PlacedJoint> joints;
  std::vector<BodyPair>
      collisionFilter;  ///< pairs that do not touch each other, for a joint connects them; sorted

  // The state proper.
  std::int64_t step = 0;
  std::vector<BodyState> states;
  std::vector<HandSlot> hands;
  std::vector<WarmForce> warm;               ///< forces of the last step, sorted by key
  std::vector<ScrewJointState> screwJoints;  ///< by joint
  std::vector<int> stillSteps;  ///< by body: for how many steps it has not moved, but by rounding
  std::vector<Command> commands;
  StepResult tick;
  std::shared_ptr<const Snapshot> initial;

  // Of the step under way; kept for its memory only.
  std::vector<PlacedJoint> engagedJoints;  ///< by joint: as it holds, if it does
  std::vector<HandCoupling> couplings;     ///< by hand; meaningful for hands that hold
  std::vector<Vector3d> meanFreeSpin;      ///< world axes [rad/s]
  std::vector<Matrix6d> massFactor;
  std::vector<Vector6d> freeVelocity;
  std::vector<Vector6d> predicted;  ///< velocity of the first trial state
  std::vector<Vector6d> velocity;   ///< u⁺
  std::vector<Vector6d> rebound;    ///< velocity after an impact, which ends the step
  std::vector<char> rebounds;       ///< by body: rebound is to be taken
  ImpactSolver impacts;
  bool impactsSolved = true;
  std::vector<Pose> start, end;
  std::vector<double> searchMargin;
  std::vector<BodyPair> pairs, touching;
  DistanceCache distanceCache;
  std::vector<Pose> queryPoses;   ///< of every body, at the start: where pairs are told
  std::vector<double> radius;     ///< of every body about its centre of mass [m]
  std::vector<BodyPair> coupled;  ///< touching, and joined
  /// A screw and what it is fast in: what cannot move needs no contacts, and could not obey them.
  std::vector<BodyPair> tightened;
  ContactSet found;
  /// Bodies that went further than they were searched for, ascending; how far, and who meets whom by that.
  std::vector<BodyId> overshot;
  std::vector<double> widenedMargin;
  std::vector<BodyPair> widenedPairs;
  std::vector<ContactForce> lastContacts;
  std::vector<WarmForce> lastWarm;
  Islands islands;
  std::vector<std::unique_ptr<IslandSlot>> islandSlots;
  int islandCount = 0;
  std::vector<double> jointVelocityChange;  ///< of a step's forces, what the joints gave
  std::vector<Vector6d> lambda;             ///< of an island's joints
  std::vector<SolverChain> chains;          ///< one a worker
  std::unique_ptr<IslandWorkers> workers;
  int notFinite = 0;         ///< bodies whose next state is no finite number
  bool withinMargin = true;  ///< no body moved further than it was searched for contacts
};

/// Which islands rest: those whose parts have not moved for some time.
void allowSleep(StepState& s);
/// No part has been still so far.
void wakeAll(StepState& s);
/// Of the step that ends: which bodies did not move.
void countStillSteps(StepState& s);
/// Whether a body lies in an island that rests in this step.
bool isSleeping(const StepState& s, BodyId body);
/// Whether the contacts and forces that the last step found between these two are those of this one.
bool keepsContacts(const StepState& s, BodyId i, BodyId j);

/// Takes in the queued commands.
void applyCommands(StepState& s);
/// Which threads hold their screws in this step, and where.
void advanceScrewJoints(StepState& s);
/// M̂ and u_free of every dynamic body: hands and external forces.
void computeFreeVelocities(StepState& s);
/// How far each body may move, and from that the islands. `again`: at least as far as in the trial before.
void findIslands(StepState& s, bool again);
/// Solves every island; false where a body moved further than its reach and may have met what was not seen.
bool solveIslands(StepState& s);
/// What the next attempt, or the next step, starts from.
void rememberForces(StepState& s);
/// What becomes of the velocities of parts that met.
void resolveImpacts(StepState& s);
/// The new state, hands' forces and the StepResult. A body whose velocity is not finite stays as it was.
void acceptState(StepState& s);

/// Puts a body at rest with its part frame at X_WP.
BodyState restingAt(const Body& body, const Pose& X_WP);

}  // namespace tenon::physics
