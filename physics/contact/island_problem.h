// The ContactProblem of one island in one step: its bodies, pairs and joints, and the collision queries at
// trial states.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "physics/body/body_state.h"
#include "physics/collision/collider.h"
#include "physics/contact/contact_problem.h"
#include "physics/contact/implied_contacts.h"
#include "physics/contact/pair_row_cache.h"
#include "physics/contact/press_fit.h"
#include "physics/contact/surfaces.h"
#include "physics/contact/swept_contact.h"
#include "physics/contact/thread_stiffness.h"
#include "physics/joint/joint_equations.h"

namespace tenon::physics {

/// What all islands of a step share: read only while they are solved.
struct StepView {
  const Collider* collider = nullptr;
  double dt = 0;                           ///< [s]
  double lastStep = 1;                     ///< LinearizedContacts::lastStep
  bool isDivisible = false;                ///< ContactProblem::isDivisible
  std::span<const Pose> start;             ///< by body: X_WC before the step
  std::span<const Pose> end;               ///< by body: X_WC after it; used for bodies not moved by forces
  std::span<const double> searchMargin;    ///< by body [m]
  std::span<const double> thickness;       ///< by body [m]; limits the range of a pair, see search_range.h
  std::span<const Matrix6d> massFactor;    ///< by body; used for dynamic ones
  std::span<const Vector6d> freeVelocity;  ///< by body; its given velocity if forces do not move it
  std::span<const Vector6d> predicted;     ///< by body: velocity of the first trial state
  const SurfaceTable* surfaces = nullptr;
  std::optional<double> restitution{};   ///< of all pairs [-]; empty: that of `surfaces`
  std::span<const MaterialId> material;  ///< by body
  std::span<const PlacedJoint> joints;
  std::span<const BodyState> states;  ///< by body: before the step
  /// At `start`, ordered by bodies and feature; a pair is queried there once a contact is found that is not
  /// among them.
  std::span<const Contact> startContacts = {};
  std::span<const PressFit> pressFits = {};            ///< of all pairs, ordered by pair
  std::span<const ElasticThread> elasticThreads = {};  ///< likewise
  std::span<const char> hasFixedPhases = {};           ///< by body, with `elasticThreads`
};

class IslandProblem : public ContactProblem {
 public:
  /// Empties it for a new step.
  void begin(const StepView& view);
  /// Bodies in ascending order of ids.
  void addBody(BodyId body);
  /// Pairs in ascending order; at least one body of each is in the island.
  void addPair(BodyPair pair) { pairs_.push_back({pair}); }
  /// A contact found between start and end of the step: its row is the same at every trial state. At least
  /// one body is in the island.
  void addSwept(const SweptContact& contact) { sweptContacts_.push_back(contact); }
  /// Joints in ascending order; at least one body of each is in the island.
  void addJoint(JointId joint) { jointIds_.push_back(joint); }
  /// Call after all bodies, pairs and joints were added.
  void complete();
  /// Index of a body in this island by binary search; −1: not in it.
  int local(BodyId body) const;

  void linearize(const std::vector<double>& u) override;
  /// At the state at the start of the step.
  void linearizeAtStart();
  /// Gives all contacts the directions of the last trial state.
  void directAtTrial();

  /// True if bodies meet on their paths (addSwept()).
  bool hasSweptContacts() const { return !sweptContacts_.empty(); }

  std::span<const BodyId> bodyIds() const { return bodies_; }
  std::span<const JointId> jointIds() const { return jointIds_; }

 private:
  struct Pair {
    BodyPair bodies;
    int a = -1, b = -1;       ///< indices of its bodies in this island
    bool isThreaded = false;  ///< a thread of one in a thread of the other
  };
  /// A contact at the start of the step.
  struct StartContact {
    Contact contact;
    bool directs = false;  ///< its directions are those of the force
  };
  struct ContactRange {
    bool known = false;
    bool queried = false;  ///< they are all within the range, not only those of the last step
    std::size_t first = 0, count = 0;
  };
  /// What the contacts of a pair share in a trial state.
  struct PairGeometry {
    Pair pair;
    Pose X_I, X_J;            ///< at the trial state
    Pose startOfI, startOfJ;  ///< at the start of the step
    double range = 0;         ///< of the query [m]
    double path = 0;          ///< bound on the displacement of the surfaces in the step, at least `range` [m]
    SurfacePair surfaces{};
  };

  Pose trialPose(BodyId body, int index) const;
  /// The first thread of the pair; null: none.
  const ElasticThread* threadOf(const BodyPair& pair) const;
  /// Range of contacts at the start, and of those at trial states at most [m].
  double rangeAtStart(const BodyPair& pair) const;
  /// Range of contacts at the trial state with velocities u [m].
  double rangeAt(std::size_t pair, std::span<const double> u) const;
  /// Of the smaller body relative to the other one, between the trial states at two velocities; to first
  /// order [m].
  double displacementBetween(const Pair& pair, std::span<const double> from,
                             std::span<const double> to) const;
  /// Of the smaller body relative to the other one, from displacements of both (translation [m], rotation
  /// vector [rad]) [m].
  double relativeDisplacement(const Pair& pair, const Vector6d& moveOfI, const Vector6d& moveOfJ) const;
  void addFrictionalCompliance(ContactRow& row) const;
  void setBiases(ContactRow& row, BodyId i, BodyId j) const;
  void buildSweptRows();
  void addSweptRows(std::span<const double> u);

  // island_problem.cpp: contacts
  Vector3d turned(std::span<const double> u, int body, const Vector3d& moment) const;
  bool opensByForce(const ContactRow& row) const;
  void direct(ContactRow& row, const Vector3d& n, std::span<const double> u) const;
  void addRow(const Contact& contact, StartContact* start, const PairGeometry& geometry, double compliance,
              std::span<const double> u);
  void addStartContacts(std::size_t pair, bool queried);
  std::span<StartContact> startContacts(std::size_t pair);
  static StartContact* startOf(const Contact& contact, std::span<StartContact> sorted);
  static StartContact* nearestAtStart(const Contact& contact, std::span<StartContact> start,
                                      const PairGeometry& geometry);
  bool isDirectedByStart(const Contact& contact, StartContact* start, const PairGeometry& geometry,
                         std::span<const double> u) const;
  void queryPair(std::size_t pair, std::span<const double> u, double range);
  bool canReuse(std::size_t pair, std::span<const double> u) const;
  void noteCorners(std::size_t first);
  void addOrReuseRows(std::span<const double> u);

  // island_compliance.cpp
  void findCompliances(const PairGeometry& geometry);
  void shareOfThreads(const PairGeometry& geometry);

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
  std::vector<SweptContact> sweptContacts_;
  std::vector<ContactRow> sweptRows_;
  std::vector<double> sweptVelocity_;  // 6n
  std::vector<Pose> trial_;
  std::vector<double> trialVelocity_, atRest_;  // 6n
  std::vector<double> reference_;               // 6n: of the trial before, or the velocity without contacts
  ContactSet found_, atStart_;
  std::vector<double> compliance_;           // of the contacts found [m/N]
  std::vector<ThreadLoad> loads_;            // of the threads that the pair's bodies have
  std::vector<EndCompliances> ends_;         // of the contacts found
  std::vector<StartContact> startContacts_;  // of the pairs that had contacts at a trial state
  std::vector<ContactRange> startRange_;     // by pair: its part of startContacts_
  CornerRows corners_, lastCorners_;         // of this trial and the last one
  PairRowCache cache_;
  bool hasThreads_ = false;            // pairs of threads: their rows are cached in any case
  bool cachedStartDirections_ = true;  // usesStartDirections of the cached rows
  double cachedReuse_ = 0;             ///< reuseBelowOverlap with which it was filled [m]
};

}  // namespace tenon::physics
