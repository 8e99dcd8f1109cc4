// What a planner takes from a session: of each goal when it was done, over what ways, with what force, how
// well.
//
// Computed from events, contact episodes and keyframes, as a record has them: a session that runs and its
// record give the same results. Definitions are in operations.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "content/model/scene.h"
#include "runtime/assess/clearance_tracker.h"
#include "runtime/assess/entry_region.h"
#include "runtime/assess/keyframe.h"
#include "runtime/assess/session_event.h"

namespace tenon::runtime {

/// A point of the insertion's curve.
struct DepthPush {
  double time = 0;   ///< [s]
  double depth = 0;  ///< of the tip below the mouth [m]
  double push = 0;   ///< the hole's resistance along its axis [N]
};

/// All that touched while the part was held, in one pair.
struct PairContacts {
  std::string with;
  int episodes = 0;
  double duration = 0;   ///< [s]
  double peakForce = 0;  ///< [N]
};

/// A part that it passed: did not touch while it was held, and did not lie on when it was taken.
struct NearbyPart {
  std::string name;
  double clearance = 0;  ///< the least distance of the two, of all keyframes in which it was held [m]
  double time = 0;       ///< when [s]
};

/// What a headset tells of a person. How far the eyes are is measured; the rest is an estimate of a posture,
/// for back, neck and elbows are nowhere seen.
struct PostureStatistics {
  double minDistance = 0, meanDistance = 0;  ///< of the head from the part's tip [m]
  double meanGazeDown = 0, maxGazeDown = 0;  ///< of the head's forward axis, below the horizon [rad]
  double maxReach = 0;                       ///< of the hand's target from the head [m]
};

struct Operation {
  int goal = -1;
  std::string name, part, into, hole;
  std::string verdict;
  /// The first goal of the same part: what was done to the part, its grasps, ways and forces, is the same for
  /// both and counts once. −1: this is the first.
  int sameHandlingAs = -1;
  /// Of events, exact to a tick [s]; nothing where it did not come to that.
  std::optional<double> grabbed, firstContact, seated, released;
  int grasps = 0;
  int jams = 0;
  std::string why;  ///< what the last jam was put down to, or ""

  // --- over the keyframes in which a hand held the part
  double held = 0;                         ///< [s]
  double handPath = 0, partPath = 0;       ///< of the hand's target, and of the part's own origin [m]
  double peakForce = 0, meanForce = 0;     ///< of all hands on the part [N]
  double peakTorque = 0, meanTorque = 0;   ///< [N m]
  std::optional<PostureStatistics> head;   ///< where a headset was worn
  double maxPush = 0;                      ///< over all ticks [N]
  std::vector<PairContacts> pairContacts;  ///< by the other part's name
  /// The nearest first: those within ClearanceTracker::kMaxDistance but the part with the hole.
  std::vector<NearbyPart> nearbyParts;
  std::vector<DepthPush> curve;                            ///< within the mouth's catch (EntryRegion)
  std::vector<std::pair<double, physics::Vector3d>> path;  ///< of the tip, while held: time [s], place [m]

  // --- at the end
  double depthError = 0;    ///< depth less the depth asked for [m]
  double lateralError = 0;  ///< of the tip from the hole's axis [m]
  double tilt = 0;          ///< [rad]

  /// From the first grasp until it was seated, else until it was let go last [s].
  std::optional<double> duration() const;
  /// True where the recorded verdict is that of a reached goal: "inserted" or "tight".
  bool isReached() const;
};

/// Methods-time measurement's unit [s]: 10⁻⁵ h.
inline constexpr double kTmu = 0.036;

class Operations {
 public:
  /// `world`: one of the scene, for where parts are in their bodies. Both must outlive this.
  Operations(const content::Scene& scene, const physics::World& world);

  /// Events and episodes in any order among the keyframes; these in their own.
  void add(const SessionEvent& event);
  void add(const ContactEpisode& episode);
  void add(const Keyframe& frame);

  /// As of what was added, in the order of the scene's goals. `maxPush` is the caller's to fill in.
  std::vector<Operation> results() const;

 private:
  struct Grasp {
    int hand = -1, body = -1;
    double from = 0;
    std::optional<double> until;
  };
  physics::Pose partPose(int part, const Keyframe& frame) const;
  InsertionPose insertionPoseAt(std::size_t goal, const Keyframe& frame) const;
  void follow(std::size_t goal, const Keyframe& frame);
  void followHead(std::size_t goal, const physics::Vector3d& tip, const Keyframe& frame);
  void excludeClearances();
  void addEnd(std::size_t goal, const Keyframe& frame);

  void updateClearances(const Keyframe& frame);
  std::vector<PairContacts> pairContactsOf(int part) const;
  bool met(int part, int other) const;
  std::vector<NearbyPart> nearbyPartsOf(int part, int into) const;

  const content::Scene& scene_;
  const physics::World& world_;
  ClearanceTracker clearances_;
  std::vector<EntryRegion> mouths_;  ///< by goal
  std::vector<physics::Pose> X_WP_;  ///< of the keyframe in work
  std::vector<Operation> all_;
  std::vector<Grasp> grasps_;
  std::vector<ContactEpisode> episodes_;
  std::map<std::pair<int, int>, double>
      openContacts_;  ///< contacts whose end is not told yet: since when [s]
  /// Of the last keyframe, where the goal's part was held in it.
  struct PreviousFrame {
    double time = 0;
    physics::Vector3d hand, part;
  };
  std::vector<std::optional<PreviousFrame>> previousFrames_;
  std::vector<int> convergedFrames_;  ///< keyframes in the means of forces
  std::vector<int> headFrames_;       ///< ... of the head
};

}  // namespace tenon::runtime
