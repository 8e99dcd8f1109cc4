// The ContactProblem of one island in one step: its bodies, pairs and joints, and the collision queries at
// trial states.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "physics/body/body_state.h"
#include "physics/collision/collider.h"
#include "physics/contact/contact_problem.h"
#include "physics/contact/pair_row_cache.h"
#include "physics/contact/surfaces.h"
#include "physics/joint/joint_equations.h"

namespace tenon::physics {

/// What all islands of a step share: read only while they are solved.
struct StepView {
  const Collider* collider = nullptr;
  double dt = 0;                           ///< [s]
  std::span<const Pose> start;             ///< by body: X_WC before the step
  std::span<const Pose> end;               ///< by body: X_WC after it; used for bodies not moved by forces
  std::span<const double> searchMargin;    ///< by body [m]
  std::span<const Matrix6d> massFactor;    ///< by body; used for dynamic ones
  std::span<const Vector6d> freeVelocity;  ///< by body; its given velocity if forces do not move it
  std::span<const Vector6d> predicted;     ///< by body: velocity of the first trial state
  const SurfaceTable* surfaces = nullptr;
  std::optional<double> restitution{};   ///< of all pairs [-]; empty: that of `surfaces`
  std::span<const MaterialId> material;  ///< by body
  std::span<const PlacedJoint> joints;
  std::span<const BodyState> states;  ///< by body: before the step
};

class IslandProblem : public ContactProblem {
 public:
  /// Empties it for a new step.
  void begin(const StepView& view);
  /// Bodies in ascending order of ids.
  void addBody(BodyId body);
  /// Pairs in ascending order; at least one body of each is in the island.
  void addPair(BodyPair pair) { pairs_.push_back({pair}); }
  /// Joints in ascending order; at least one body of each is in the island.
  void addJoint(JointId joint) { jointIds_.push_back(joint); }
  /// Call after all bodies, pairs and joints were added.
  void complete();
  /// Index of a body in this island by binary search; −1: not in it.
  int local(BodyId body) const;

  void linearize(const std::vector<double>& u) override;

  std::span<const BodyId> bodyIds() const { return bodies_; }
  std::span<const JointId> jointIds() const { return jointIds_; }

 private:
  struct Pair {
    BodyPair bodies;
    int a = -1, b = -1;  ///< indices of its bodies in this island
  };
  /// What the contacts of a pair share in a trial state.
  struct PairGeometry;

  Pose trialPose(BodyId body, int index) const;
  void addFriction(ContactRow& row, BodyId i, BodyId j) const;

  // island_problem.cpp: contacts
  void addRow(const Contact& contact, const PairGeometry& geometry, std::span<const double> u);
  void queryPair(const Pair& pair, std::span<const double> u);
  bool canReuse(std::size_t pair, std::span<const double> u) const;
  void addOrReuseRows(std::span<const double> u);

  // island_joints.cpp: limits and thread flanks
  void linearizeJoints(std::span<const double> u);
  void addLimits(JointId id, const JointFrames& start, const JointFrames& at, std::span<const double> u);
  void addFlanks(JointId id, const JointFrames& start, double error, std::span<const double> u);
  /// A row of a joint at `distance` from its limit, without friction and compliance.
  ContactRow jointRow(const ContactKey& key, const JointDirection& direction, double distance,
                      std::span<const double> u) const;

  StepView view_;
  std::vector<BodyId> bodies_;
  std::vector<Pair> pairs_;
  std::vector<JointId> jointIds_;
  std::vector<JointFrames> jointStarts_;  // at the start of the step
  std::vector<Pose> trial_;
  ContactSet found_;
  PairRowCache cache_;
};

}  // namespace tenon::physics
