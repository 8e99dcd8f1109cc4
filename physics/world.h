// The world: bodies, hands and contacts, and the one function that moves them.
//
// step() goes one way: commands → hands and external forces → free velocity → for each island:
// predict the trial state, find contacts there, build the problem, solve, repeat → accept → Tick.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "physics/body/body_state.h"
#include "physics/body/mass_properties.h"
#include "physics/collision/collider.h"
#include "physics/command.h"
#include "physics/contact/surfaces.h"
#include "physics/hand/hand_parameters.h"
#include "physics/joint/joint_account.h"
#include "physics/solver/solver_options.h"
#include "physics/step_report.h"

namespace tenon::physics {

/// Everything about a body that never changes, and where it starts.
struct BodyDescription {
  std::string name;
  Shape shape;          ///< in the part's frame P
  MassProperties mass;  ///< in the part's frame; ignored unless dynamic
  Motion motion = Motion::dynamic;
  Pose X_WP;                          ///< start pose of the part's frame
  Vector3d v = Vector3d::Zero();      ///< start velocity of the centre of mass [m/s]
  Vector3d omega = Vector3d::Zero();  ///< start angular velocity [rad/s]
  MaterialId material;
};

struct WorldOptions {
  double dt = 1e-3;               ///< time step Δt [s]
  Vector3d gravity{0, 0, -9.81};  ///< [m/s²]
  SolverName solver = SolverName::automatic;
  SolverOptions solverOptions{};
  int threads = 1;  ///< for islands; changes no bit of the result
  /// Parts that lie still keep their place and their forces (step/rest.cpp); false solves them in every step.
  bool letRest = true;
};

/// A contact and the force it carried in the step: the sum of these forces, weight and hands is what moved
/// the bodies. Where one edge was held by several of its points, each is told, with the same feature.
struct ContactForce {
  Contact contact;   ///< with force: the point and normal it acted at; δ of the new state
  double force = 0;  ///< f, along the normal, pushing i and j apart [N]
  Vector3d friction = Vector3d::Zero();  ///< tangential force on j; the opposite acts on i [N]
  Vector3d impulse = Vector3d::Zero();   ///< of an impact with which the step ended, on j [N s]
  double mu = 0;                         ///< Coulomb's coefficient of this contact [-]
};

/// A hand as it is at the end of a step.
struct HandState {
  Pose X_WH;                           ///< target
  BodyId body;                         ///< held, if valid
  Pose X_CH;                           ///< of the hand in the held body's X_WC frame, fixed at the grab
  Vector3d force = Vector3d::Zero();   ///< on the part, at the grabbed point, without the carried weight [N]
  Vector3d torque = Vector3d::Zero();  ///< on the part [N m]
  bool lost = false;                   ///< broke loose in this step (break distance)
};

/// Everything that happened in one step: a value. Recorder, assessment, pictures and tests read it
/// and nothing else. Its vectors keep their capacity from step to step.
struct Tick {
  std::int64_t step = 0;  ///< steps done since time 0
  double time = 0;        ///< [s]
  std::vector<BodyState> bodies;
  std::vector<HandState> hands;
  std::vector<ContactForce> contacts;
  std::vector<JointState> joints;
  StepReport report;
};

/// All that a later step depends on; restoring it gives the same bytes again.
struct Snapshot;  // step/step_state.h

class World {
 public:
  /// Takes a collider with no bodies. Throws std::invalid_argument for dt ≤ 0 or threads < 1.
  World(const WorldOptions& options, std::unique_ptr<Collider> collider);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // --- set-up, before the first step -------------------------------------------------------------
  BodyId addBody(const BodyDescription& description);
  /// Throws std::invalid_argument for bodies that are none, the same, or neither of which is dynamic, frames
  /// that do not meet at the start within 1e-6 m and rad, limits that leave no way or not the start's, a
  /// pitch that is none, and an entry of what is no thread. Threads with an entry need not meet at the start.
  JointId addJoint(const JointDescription& description);
  HandId addHand(const HandParameters& parameters, const Pose& X_WH);
  /// Of two materials in either order; others are smooth and rigid. Throws std::invalid_argument for ids that
  /// are none, μ < 0, e outside 0…1 or a stiffness below 1 N/m.
  void setSurfaces(MaterialId a, MaterialId b, const SurfacePair& surfaces);

  // --- running -----------------------------------------------------------------------------------
  /// Queues a command for the start of the next step, in the order of calls. Throws
  /// std::invalid_argument where it names no such hand or body, grabs or places what is not dynamic,
  /// places what has a joint (a screw in its thread is taken out of it), or holds a pose that is none (not
  /// finite, or a quaternion not of length 1).
  void apply(const Command& command);

  /// One step of Δt. The reference is valid until the next call.
  const Tick& step();

  /// The last tick; at time 0 the start state.
  const Tick& tick() const;

  /// Contacts of the present state with δ ≤ range [m], over all pairs. For set-up checks and tools.
  ContactSet contactsWithin(double range);

  /// What the joints leave free at the present poses, and joints that cannot go together. addJoint() looks at
  /// one joint alone: ask this before the first step. For set-up checks and tools; see joint_account.h.
  JointAccount accountOfJoints() const;

  std::shared_ptr<const Snapshot> snapshot() const;
  /// Also that of a world with the same bodies, hands and joints but other options: with another Δt, the
  /// number of the step becomes the one nearest to the snapshot's time. Throws std::invalid_argument for the
  /// snapshot of a world with other numbers of bodies, hands or joints.
  void restore(const Snapshot& snapshot);

  /// 64-bit hash (FNV-1a) of all body states' bytes, in the order of ids.
  std::uint64_t stateHash() const;

  // --- what is in it -----------------------------------------------------------------------------
  const WorldOptions& options() const;
  std::size_t bodyCount() const;
  const BodyDescription& body(BodyId id) const;
  std::optional<BodyId> findBody(std::string_view name) const;
  /// Pose of the part's frame P of a body whose state is `state`.
  Pose partPose(BodyId id, const BodyState& state) const;
  std::size_t jointCount() const;
  const JointDescription& joint(JointId id) const;
  std::size_t handCount() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::physics
