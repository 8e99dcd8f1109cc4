// Results of a session for assembly planning: times, paths, forces and accuracy of each goal.
//
// Computed from events, contact episodes and keyframes as a record contains them: a running session and its
// record give the same results. Definitions: operations.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "content/model/scene.h"
#include "runtime/assess/clearance_profile.h"
#include "runtime/assess/clearance_tracker.h"
#include "runtime/assess/entry_region.h"
#include "runtime/assess/handling_tracker.h"
#include "runtime/assess/keyframe.h"
#include "runtime/assess/motion_estimate.h"
#include "runtime/assess/session_event.h"
#include "runtime/assess/tolerance_check.h"
#include "runtime/assess/torque_curve.h"

namespace tenon::runtime {

/// A point of the force-displacement curve of an insertion.
struct DepthPush {
  double time = 0;   ///< [s]
  double depth = 0;  ///< of the tip below the mouth [m]
  double push = 0;   ///< the hole's resistance along its axis [N]
};

/// All contact episodes of one pair while the part was held.
struct PairContacts {
  std::string with;
  int episodes = 0;
  double duration = 0;   ///< [s]
  double peakForce = 0;  ///< [N]
};

/// A part that was passed without contact: not touched while held, and not in contact when grasped.
struct NearbyPart {
  std::string name;
  double clearance = 0;  ///< minimum distance over all keyframes in which the part was held [m]
  double time = 0;       ///< of that keyframe [s]
};

/// Posture of a person, from headset and controllers. The distance of the eyes is measured; the rest is an
/// estimate, since back, neck and elbows are not tracked.
struct PostureStatistics {
  double minDistance = 0, meanDistance = 0;  ///< of the head from the part's tip [m]
  double meanGazeDown = 0, maxGazeDown = 0;  ///< of the head's forward axis, below the horizon [rad]
  double maxReach = 0;                       ///< of the hand's target from the head [m]
};

struct Operation {
  int goal = -1;
  std::string name, part, into, hole;
  std::string verdict;
  /// The first goal of the same part; both share the handling of the part (grasps, paths, forces), which
  /// counts once. −1: this is the first.
  int sameHandlingAs = -1;
  /// Times of events, exact to a step [s]; empty if the event did not occur.
  std::optional<double> grabbed, firstContact, seated, released;
  int grasps = 0;
  std::vector<int> hands;  ///< that grasped it, by number
  int jams = 0;
  /// Verdict of the last jam, or ""; in reports and exports why the goal was not reached
  /// (report/stop_causes.h).
  std::string why;

  // --- over the keyframes in which a hand held the part
  double held = 0;                         ///< [s]
  double handPath = 0, partPath = 0;       ///< path length of the hand's target, and of the part's origin [m]
  double peakForce = 0, meanForce = 0;     ///< of all hands on the part [N]
  double peakTorque = 0, meanTorque = 0;   ///< [N m]
  std::optional<PostureStatistics> head;   ///< if a headset was worn
  double maxPush = 0;                      ///< over all steps [N]
  std::vector<PairContacts> pairContacts;  ///< by the other part's name
  /// Nearest first, within ClearanceTracker::kMaxDistance, without the part that has the hole.
  std::vector<NearbyPart> nearbyParts;
  std::vector<DepthPush> curve;                            ///< in the entry region (EntryRegion)
  std::vector<AngleTorque> torqueCurve;                    ///< of a thread, in the entry region
  std::vector<std::pair<double, physics::Vector3d>> path;  ///< of the tip, while held: time [s], position [m]
  std::vector<PathClearance> clearance;  ///< along the path of the part, to all but the one with the hole
  /// Normal time of all handlings of the part, by MTM-1 from the paths of the hands [TMU], and its sum in
  /// words: "R20B 10.0 + G1A 2.0 + …". An estimate (motion_estimate.h); 0 and "" without any
  /// motion.
  double estimatedTmu = 0;
  std::string motions;

  // --- at the end
  double depthError = 0;    ///< depth minus required depth [m]
  double lateralError = 0;  ///< of the tip from the hole's axis [m]
  double tilt = 0;          ///< [rad]
  std::vector<ToleranceCheck> checks;

  /// From the first grasp until seated, else until the last release [s].
  std::optional<double> duration() const;
  /// True if the recorded verdict is that of a reached goal.
  bool isReached() const;
};

class Operations {
 public:
  /// `world`: built from the scene, for the frames of parts in their bodies. Both must outlive this.
  Operations(const content::Scene& scene, const physics::World& world);

  /// Keyframes in the order of their times; events and episodes at any point between them.
  void add(const SessionEvent& event);
  void add(const ContactEpisode& episode);
  void add(const Keyframe& frame);

  /// Results so far, in the order of the scene's goals. The caller fills in `maxPush`.
  std::vector<Operation> results() const;
  /// The basic motions of all hands, those with parts without goals included.
  MotionEstimate motions() const;

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
  void followTorque(std::size_t goal, const Keyframe& frame);
  void addEnd(std::size_t goal, const Keyframe& frame);

  void updateClearances(const Keyframe& frame);
  std::vector<PairContacts> pairContactsOf(int part) const;
  bool met(int part, int other) const;
  std::vector<NearbyPart> nearbyPartsOf(int part, int into) const;

  const content::Scene& scene_;
  const physics::World& world_;
  ClearanceTracker clearances_;
  ClearanceProfile profile_{clearances_};
  HandlingTracker handlings_;
  std::vector<EntryRegion> mouths_;                       ///< by goal
  std::vector<std::optional<TorqueCurve>> torqueCurves_;  ///< by goal: of its threads
  std::vector<physics::Pose> X_WP_;                       ///< of the current keyframe
  std::vector<Operation> all_;
  std::vector<Grasp> grasps_;
  std::vector<ContactEpisode> episodes_;
  std::map<std::pair<int, int>, double> openContacts_;  ///< start of contacts that have not ended [s]
  /// Positions in the last keyframe, if the goal's part was held in it.
  struct PreviousFrame {
    double time = 0;
    physics::Vector3d hand, part;
  };
  std::vector<std::optional<PreviousFrame>> previousFrames_;
  std::vector<int> convergedFrames_;  ///< number of keyframes in the mean forces
  std::vector<int> headFrames_;       ///< number of keyframes with the head
};

}  // namespace tenon::runtime
