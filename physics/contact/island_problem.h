// One island as a ContactProblem: its bodies, its pairs, and how distances are asked for at a trial
// state.
#pragma once

#include <span>
#include <vector>

#include "physics/body/body_state.h"
#include "physics/collision/collider.h"
#include "physics/contact/contact_problem.h"
#include "physics/contact/surfaces.h"
#include "physics/joint/joint_equations.h"

namespace tenon::physics {

/// What all islands of a step share: read only while they are solved.
struct StepView {
  const Collider* collider = nullptr;
  double dt = 0;                           ///< [s]
  std::span<const Pose> start;             ///< X_WC of every body before the step
  std::span<const Pose> end;               ///< after it: right for bodies not moved by forces
  std::span<const double> searchMargin;    ///< of every body [m]
  std::span<const Matrix6d> massFactor;    ///< of every body; unused unless dynamic
  std::span<const Vector6d> freeVelocity;  ///< of every body; its own where forces do not move it
  std::span<const Vector6d> predicted;     ///< likewise
  const SurfaceTable* surfaces = nullptr;
  std::span<const MaterialId> material;  ///< of every body
  std::span<const PlacedJoint> joints;
  std::span<const BodyState> states;  ///< of every body before the step
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
  /// When all has been added.
  void complete();
  /// Number of a body in this island, −1 where it is not in it. Bodies are few: by bisection.
  int local(BodyId body) const;

  void linearize(const std::vector<double>& u) override;

  std::span<const BodyId> bodyIds() const { return bodies_; }
  std::span<const JointId> jointIds() const { return jointIds_; }

 private:
  struct Pair {
    BodyPair bodies;
    int a = -1, b = -1;  ///< numbers of its bodies in this island
  };
  /// What the contacts of a pair share in a trial state.
  struct Arms;
  Pose trialPose(BodyId body, int index) const;
  void linearizeJoints(std::span<const double> u);
  void addLimits(JointId id, const JointFrames& start, const JointFrames& at, std::span<const double> u);
  void addLimit(const ContactKey& key, const JointDirection& way, double left, double sense,
                std::span<const double> u);
  /// A row of a joint: neither friction nor compliance yet.
  ContactRow rowOf(const ContactKey& key, const JointDirection& way, double left,
                   std::span<const double> u) const;
  void addFlanks(JointId id, const JointFrames& start, double error, std::span<const double> u);
  void addFriction(ContactRow& row, BodyId i, BodyId j) const;
  void addRow(const Contact& contact, const Arms& arms, std::span<const double> u);
  void addPairRows(const Pair& pair, std::span<const double> u);
  /// At which velocities of its bodies a pair was asked, and where its rows end.
  struct LastQuery {
    Vector6d ui, uj;
    std::size_t end = 0;
  };
  /// As addPairRows() of all pairs, but that pairs may keep what they know.
  void addRowsWithReuse(std::span<const double> u);
  bool canReuse(std::size_t pair, std::span<const double> u) const;
  void reuseRows(std::size_t pair, std::span<const double> u);

  StepView view_;
  std::vector<BodyId> bodies_;
  std::vector<Pair> pairs_;
  std::vector<JointId> jointIds_;
  std::vector<JointFrames> jointStarts_;  // at the start of the step
  std::vector<Pose> trial_;
  ContactSet found_;
  // Where pairs may keep their contacts:
  std::vector<ContactRow> previousRows_;          // as of the last linearise()
  std::vector<LastQuery> queries_, nextQueries_;  // by pair; empty: none was asked
};

}  // namespace tenon::physics
