// The scripts of a plan's hands, written waypoint by waypoint on one clock.
#pragma once

#include <cstddef>
#include <vector>

#include "content/model/scene.h"
#include "runtime/plan/removal_motion.h"

namespace tenon::runtime {

/// A part that a hand holds, and where the script has brought it.
struct HeldPart {
  std::size_t hand = 0;
  int part = -1;
  physics::Pose X_WP;
};

/// The number of waypoints on a leg that are so near to each other that the parts' origins stay on their
/// arcs.
int waypointsOf(const PathLeg& leg, const std::vector<HeldPart>& held);

/// Appends waypoints; each call advances the clock by the duration of its motion. A hand that has waited
/// stays where it is until its next motion begins.
class HandScripts {
 public:
  /// Borrows the hands, whose scripts are empty.
  explicit HandScripts(std::vector<content::Hand>& hands);

  double time() const { return time_; }  ///< [s]

  /// The hand keeps its pose for this time [s].
  content::Waypoint& wait(std::size_t hand, double duration);
  /// The hand itself to a point [m].
  void moveHand(std::size_t hand, const physics::Vector3d& p_W);
  /// To a point from above, where it grasps the part.
  void grasp(std::size_t hand, int part, const physics::Vector3d& p_W, const physics::Vector3d& up);
  /// Grasps the part where the hand is; or releases and stays.
  void close(std::size_t hand, int part) { wait(hand, 0).grab = part; }
  void open(std::size_t hand) { wait(hand, 0).release = true; }
  /// Releases, and leaves upwards to this height along `up` [m] or more.
  void release(std::size_t hand, const physics::Vector3d& up, double height);
  /// The part that the hand holds, with a rotation vector [rad] that leads to `to`, in this time [s].
  void turnPart(std::size_t hand, const physics::Pose& to, const physics::Vector3d& rotation,
                double duration);
  /// All these parts from one pose each to the next on lines, at this speed [m/s] and at the same time; with
  /// a rotation vector [rad].
  void moveTogether(const std::vector<HeldPart>& held, const std::vector<physics::Pose>& to,
                    const physics::Vector3d& rotation, double speed);

  /// Where the hand is after the part that it holds was moved [m].
  void setEnd(std::size_t hand, const physics::Vector3d& p_W) { ends_[hand] = p_W; }
  /// Orientation of the last waypoint; `otherwise`, if it has none.
  physics::Quaterniond lastOrientation(std::size_t hand, const physics::Quaterniond& otherwise) const;

 private:
  content::Waypoint& add(std::size_t hand, const physics::Pose* X_W, content::WaypointFrame frame);
  void holdUntilNow(std::size_t hand);

  std::vector<content::Hand>& hands_;
  double time_ = 0;
  std::vector<physics::Vector3d> ends_;  ///< by hand: where it is after its last waypoint
};

}  // namespace tenon::runtime
