// The world: bodies, hands and contacts, and the one function that moves them.
//
// step() goes one way: commands → hands and external forces → free velocity → for each island:
// predict the trial state, find contacts there, build the problem, solve, repeat → accept → StepResult.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "physics/collision/collider.h"
#include "physics/contact/surfaces.h"
#include "physics/hand/hand_parameters.h"
#include "physics/joint/mobility_analysis.h"
#include "physics/step/command.h"
#include "physics/step/world_data.h"

namespace tenon::physics {

/// All that a later step depends on; restoring it gives the same bytes again.
struct Snapshot;  // step/step_state.h

/// Bodies, joints and hands, and their motion in time.
class World {
 public:
  /// Takes a collider with no bodies. Throws std::invalid_argument for dt ≤ 0 or threads < 1.
  World(const WorldOptions& options, std::unique_ptr<Collider> collider);
  ~World();
  World(World&&) noexcept;             ///< the other one can then only be destroyed or assigned to
  World& operator=(World&&) noexcept;  ///< likewise

  // --- set-up, before the first step -------------------------------------------------------------
  /// Throws std::invalid_argument for poses and velocities that are not finite, shapes that cannot be made,
  /// and a dynamic body without mass or with an inertia that no body can have.
  BodyId addBody(const BodyDescription& description);
  /// Throws std::invalid_argument for bodies that are none, the same, or neither of which is dynamic, frames
  /// that do not meet at the start within 1e-6 m and rad, limits that leave no way or not the start's, a
  /// pitch that is none, and an entry of what is no thread. Threads with an entry need not meet at the start.
  JointId addJoint(const JointDescription& description);
  /// At `X_WH`, holding nothing. Throws std::invalid_argument for a pose that is not finite, and for
  /// stiffness, damping or limits that are negative or not finite.
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
  const StepResult& step();

  /// The last tick; at time 0 the start state.
  const StepResult& stepResult() const;

  /// Contacts of the present state with δ ≤ range [m], over all pairs. For set-up checks and tools.
  ContactSet contactsWithin(double range);

  /// What the joints leave free at the present poses, and joints that cannot go together. addJoint() looks at
  /// one joint alone: ask this before the first step. For set-up checks and tools; see joint_account.h.
  MobilityAnalysis analyzeMobility() const;

  /// The present state, for restore().
  std::shared_ptr<const Snapshot> snapshot() const;
  /// Also that of a world with the same bodies, hands and joints but other options: with another Δt, the
  /// number of the step becomes the one nearest to the snapshot's time. Throws std::invalid_argument for the
  /// snapshot of a world with other numbers of bodies, hands or joints.
  void restore(const Snapshot& snapshot);

  /// 64-bit hash (FNV-1a) of all body states' bytes, in the order of ids.
  std::uint64_t stateHash() const;

  // --- what is in it -----------------------------------------------------------------------------
  /// As given to the constructor.
  const WorldOptions& options() const;
  /// Ids are 0 … bodyCount() − 1.
  std::size_t bodyCount() const;
  /// As given to addBody().
  const BodyDescription& body(BodyId id) const;
  /// The first body of this name.
  std::optional<BodyId> findBody(std::string_view name) const;
  /// Pose of the part's frame P of a body whose state is `state`.
  Pose partPose(BodyId id, const BodyState& state) const;
  /// Ids are 0 … jointCount() − 1.
  std::size_t jointCount() const;
  /// As given to addJoint().
  const JointDescription& joint(JointId id) const;
  /// Ids are 0 … handCount() − 1.
  std::size_t handCount() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::physics
