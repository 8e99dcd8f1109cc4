// Torque against angle of a thread that hands or drivers turn, from keyframes.
#pragma once

#include <optional>
#include <vector>

#include "content/model/scene.h"
#include "content/parts/thread_pair.h"
#include "runtime/assess/keyframe.h"
#include "runtime/assess/session_event.h"

namespace tenon::runtime {

struct AngleTorque {
  double time = 0;    ///< [s]
  double angle = 0;   ///< turned in the direction that tightens, since the first keyframe [rad]
  double torque = 0;  ///< of hands and drivers about the hole's axis, positive where it tightens [N m]
};

/// Follows the thread of one goal. The angle is counted in all keyframes; between two of them a part turns by
/// less than half a turn.
class TorqueCurve {
 public:
  TorqueCurve(const content::ThreadPair& threads, const content::Goal& goal, bool isPartFixed);

  /// Which drivers fit: "driver-on" and "driver-off".
  void add(const SessionEvent& event);
  /// The point of this keyframe; empty while no hand holds the part, or a driver in it. X_WH: the hole, +z
  /// out of it; X_WP: the part with the external thread.
  std::optional<AngleTorque> add(const Keyframe& frame, const physics::Pose& X_WH, const physics::Pose& X_WP);

 private:
  int moved_;          ///< the part, or where it is fixed the one with the hole
  double tightening_;  ///< sign of the part's rotation in the hole that tightens, about +z of the hole
  double side_;        ///< 1 if `moved_` is the part, else −1
  std::optional<physics::Quaterniond> last_;  ///< of the part in the hole's frame
  double angle_ = 0;
  std::vector<int> drivers_;  ///< that fit `moved_`
};

}  // namespace tenon::runtime
