// Intermediate results of the step under way, one structure per stage. No step reads what an earlier one left
// here, except caches that change no result; the memory is reused, so that steps do not allocate.
#pragma once

#include <memory>
#include <vector>

#include "physics/contact/island_problem.h"
#include "physics/contact/islands.h"
#include "physics/hand/hand_coupling.h"
#include "physics/solver/solver_chain.h"
#include "physics/step/command.h"
#include "physics/step/distance_cache.h"
#include "physics/step/impact_solver.h"
#include "physics/step/island_workers.h"
#include "physics/step/rigid_groups.h"
#include "physics/step/world_data.h"

namespace tenon::physics {

/// The interval that is being solved: the whole step, or a fraction of one that could not be solved as a
/// whole (World::step()).
struct Substep {
  double dt = 0;            ///< its length [s]
  double ofRest = 1;        ///< its share of what remains of the step [-]
  double last = 1;          ///< length of the interval before it, relative to it [-]
  bool isDivisible = true;  ///< shorter ones follow if it is not solved

  bool isLast() const { return ofRest == 1; }  ///< it ends the step
};

/// Motion without contacts (free_velocity.cpp). All vectors by body, unless noted.
struct FreeMotion {
  std::vector<Pose> start;              ///< X_WC at the start of the step
  std::vector<Pose> end;                ///< X_WC at its end with `velocity`
  std::vector<Vector3d> meanSpin;       ///< mean angular velocity without torques, world axes [rad/s]
  std::vector<Matrix6d> massFactor;     ///< Cholesky factor of M̂ ([√kg], [√kg m])
  std::vector<Vector6d> velocity;       ///< u_free [m/s, rad/s]
  RigidGroups groups;                   ///< what hands move with the bodies they hold
  std::vector<HandCoupling> couplings;  ///< by hand; valid for hands that hold a body
};

/// Drivers that are coupled in this step (couple_drivers.cpp).
struct DriverWork {
  std::vector<PlacedJoint> joints;  ///< of the model, and one for each coupled driver
  std::vector<int> joint;           ///< by driver: index into `joints`; −1: not coupled
  std::vector<BodyPair> pairs;      ///< coupled: they have no contacts
  std::vector<double> givenTorque;  ///< by driver: on its screw, in a step in which it clicks [N m]; 0: none
};

/// Search for pairs that can touch in this step (find_islands.cpp).
struct ContactSearch {
  std::vector<Vector6d> predicted;  ///< by body: velocity of the first trial state [m/s, rad/s]
  std::vector<double> margin;       ///< by body: searchMargin [m]
  std::vector<Pose> queryPoses;     ///< by body: where pairs are queried
  std::vector<BodyPair> pairs, touching;
  std::vector<BodyPair> coupled;  ///< touching or joined
  DistanceCache distanceCache;
  ContactSet found;
  // Bodies that moved further than their margin, ascending; the margins they need, and the pairs within
  // these.
  std::vector<BodyId> overshot;
  std::vector<double> widenedMargin;
  std::vector<BodyPair> widenedPairs;
  bool withinMargin = true;  ///< no body moved further than its margin into a body that was not searched
};

/// Contacts between the start and the end of the step (sweep_pairs.cpp).
struct SweepWork {
  /// Pairs that may move further than unsweptDisplacement(), ascending: those of the last search for islands.
  std::vector<BodyPair> pairs;
  std::vector<SweptContact> contacts;  ///< found in this step, in the order of rounds
  std::vector<BodyPair> met;           ///< pairs with such contacts, ascending
  int rounds = 0;                      ///< attempts of this step after which contacts were found
  int queries = 0;                     ///< times of impact computed
  /// A pair that meets in the present attempt.
  struct Meeting {
    BodyPair pair;
    double fraction = 0;              ///< of the step [-]
    std::size_t first = 0, last = 0;  ///< its contacts in `found`
  };
  std::vector<Meeting> meetings;
  ContactSet found, contactsOfPair;
  std::vector<double>
      earliest;  ///< by body: fraction of its first meeting in the last attempt; infinite: none
  std::vector<Vector6d> trial;  ///< by body that met another: velocity of the next first trial state
  std::vector<char> heldBack;   ///< by body: keeps its pose in this step
};

/// One island in one step.
struct IslandSlot {
  bool isSleeping = false;  ///< keeps its state and the forces of the last step; the other members are unused
  IslandProblem problem;
  ContactSolution solution;
  ChainReport report;
  std::vector<Vector3d> impulse;  ///< of impacts on body j, by row of the problem [N s]; empty: none
};

/// Islands and their solutions (find_islands.cpp, sleeping.cpp).
struct IslandWork {
  Islands partition;
  std::vector<std::unique_ptr<IslandSlot>> slots;  ///< the first `count` are in use
  int count = 0;
  std::vector<SolverChain> chains;  ///< one per worker
  std::unique_ptr<IslandWorkers> workers;
  std::vector<Vector6d> velocity;  ///< by body: u⁺ [m/s, rad/s]
};

/// Impacts with restitution at the end of the step (impacts.cpp).
struct ImpactWork {
  ImpactSolver solver;
  bool solved = true;
  int energyGuarded = 0;           ///< islands whose solution gained energy (gainsEnergy())
  std::vector<Vector6d> velocity;  ///< by body: after its impact [m/s, rad/s]
  std::vector<char> changed;       ///< by body: whether `velocity` replaces u⁺
};

/// Buffers of the accepted state and its report (accept_state.cpp).
struct ReportWork {
  std::vector<ContactForce> lastContacts;
  std::vector<WarmForce> lastWarm;
  // WorldState::warm and drivers before the attempt to solve the step as a whole.
  std::vector<WarmForce> startWarm;
  std::vector<DriverSlot> startDrivers;
  std::vector<double> jointVelocityChange;  ///< of one island: L⁻¹ times the joints' share of M̂ (u⁺ − u_free)
  std::vector<Vector6d> lambda;             ///< of one island's joints
  StepResult sums;                          ///< over the substeps of the step
  int notFinite = 0;                        ///< bodies whose next state is not finite
};

struct StepWorkspace {
  std::vector<Command> commands;  ///< those of this step
  Substep substep;
  DriverWork drivers;
  FreeMotion free;
  ContactSearch search;
  IslandWork islands;
  SweepWork sweep;
  ImpactWork impact;
  ReportWork report;
};

}  // namespace tenon::physics
