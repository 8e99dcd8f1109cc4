// The world: bodies, joints, hands and contacts, and the one function that moves them.
//
// Stages of step(): commands → drivers → velocity without contacts → islands → for each island: predict a
// trial state, find contacts there, build the problem, solve, repeat → impacts → new state → StepResult. A
// step that cannot be solved is divided into substeps.
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

/// Everything a later step depends on, as a value: the same state gives the same bytes again.
struct WorldState;  // step/world_state.h

/// Bodies, joints and hands, and their motion in time.
class World {
 public:
  /// Takes a collider with no bodies. Throws std::invalid_argument for dt ≤ 0, threads < 1, or damping that
  /// is negative or not finite.
  World(const WorldOptions& options, std::unique_ptr<Collider> collider);
  ~World();
  World(World&&) noexcept;             ///< the other one can then only be destroyed or assigned to
  World& operator=(World&&) noexcept;  ///< likewise

  // --- set-up, before the first step -------------------------------------------------------------
  /// Throws std::invalid_argument for poses and velocities that are not finite, shapes that cannot be made,
  /// and a dynamic body without mass or with an inertia that no body can have.
  BodyId addBody(const BodyDescription& description);
  /// Throws std::invalid_argument for two equal or invalid bodies, or none that is dynamic; for frames that
  /// do not coincide at the start within 1e-6 m and rad; for an empty range, or one without the start; and
  /// for a pitch of 0.
  JointId addJoint(const JointDescription& description);
  /// At `X_WH`, holding nothing. Throws std::invalid_argument for a pose that is not finite, and for
  /// stiffness, damping or limits that are negative or not finite.
  HandId addHand(const HandParameters& parameters, const Pose& X_WH);
  /// Off at the start. Throws std::invalid_argument for a body that is not dynamic, and for numbers that are
  /// not finite.
  ThrusterId addThruster(const ThrusterDescription& description);
  /// A hexagon that drivers turn. Throws std::invalid_argument for an unknown body, and for a pose, a width
  /// or a depth that is not finite and positive.
  HexagonId addHexagon(const HexagonDescription& description);
  /// Throws std::invalid_argument for a body that is not dynamic, and for a pose, a width or a torque limit
  /// that is not finite and positive (the limit: or infinite).
  DriverId addDriver(const DriverDescription& description);
  /// Surfaces of two materials, in either order; pairs not set are smooth and rigid. Throws
  /// std::invalid_argument for invalid ids, μ < 0, e outside 0…1 or a stiffness below 1 N/m.
  void setSurfaces(MaterialId a, MaterialId b, const SurfacePair& surfaces);
  /// Elastic constants of a material, for press fits (contact/press_fit.h); materials not set are rigid.
  /// Throws std::invalid_argument for an invalid id, E < 0 or ν outside 0…0.5.
  void setElasticity(MaterialId material, const Elasticity& elasticity);

  // --- running -----------------------------------------------------------------------------------
  /// Queues a command for the start of the next step, in the order of calls. Throws
  /// std::invalid_argument for an unknown hand or body, a body to grab or place that is not dynamic, a body
  /// to place that has a joint, an invalid pose (not finite, or a quaternion not of length 1), dynamics that
  /// are not finite or out of range, an unknown thruster, or a level outside 0…1.
  void apply(const Command& command);

  /// One step of Δt. The reference is valid until the next call.
  const StepResult& step();

  /// The result of the last step; at time 0 the initial state.
  const StepResult& stepResult() const;

  /// Contacts of the present state with δ ≤ range [m], over all pairs. For set-up checks and tools.
  ContactSet contactsWithin(double range);

  /// Degrees of freedom that the joints leave at the present poses, and joints that contradict each other.
  /// addJoint() checks one joint alone: call this before the first step. See joint/mobility_analysis.h.
  MobilityAnalysis analyzeMobility() const;

  /// The present state, for restore().
  std::shared_ptr<const WorldState> snapshot() const;
  /// Accepts snapshots of worlds with the same bodies, hands, joints, drivers and thrusters but other
  /// options: with another Δt, the number of the step becomes the one nearest to the snapshot's time; with
  /// other gravity or damping at time 0, those of this world at time 0 act. Throws std::invalid_argument for
  /// a snapshot with other numbers of bodies, hands, joints, drivers or thrusters.
  void restore(const WorldState& snapshot);

  /// 64-bit hash (FNV-1a) of all body states' bytes, in the order of ids.
  std::uint64_t stateHash() const;

  // --- queries -----------------------------------------------------------------------------
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
  /// Ids are 0 … driverCount() − 1.
  std::size_t driverCount() const;
  /// Ids are 0 … thrusterCount() − 1.
  std::size_t thrusterCount() const;
  /// Ids are 0 … handCount() − 1.
  std::size_t handCount() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::physics
