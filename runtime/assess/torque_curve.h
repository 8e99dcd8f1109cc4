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
  double angle = 0;   ///< turned in the direction that tightens, since the first keyframe of the curve [rad]
  double torque = 0;  ///< of hands and drivers about the hole's axis, positive where it tightens [N m]
};

/// Follows the thread of one goal. The angle is counted in all keyframes; between two of them a part turns by
/// less than half a turn. An undo, a redo, a reset or a part placed by a command starts another curve.
class TorqueCurve {
 public:
  TorqueCurve(const content::ThreadPair& threads, const content::Goal& goal, bool isPartFixed);

  /// Which drivers fit, and where the curve starts again; before the keyframes with later times.
  void add(const SessionEvent& event);
  /// X_WH: the hole, +z out of it; X_WP: the part with the external thread; `isAtHole`: it is in the entry
  /// region.
  void add(const Keyframe& frame, const physics::Pose& X_WH, const physics::Pose& X_WP, bool isAtHole);
  /// Of the keyframes in which a hand holds the part, or a driver in it, at the hole.
  const std::vector<AngleTorque>& points() const { return points_; }

 private:
  struct Fit {
    int driver = -1;
    double from = 0, until = 0;  ///< [s]
  };
  bool isTurning(int body, double time) const;

  int moved_;          ///< the part, or where it is fixed the one with the hole
  double tightening_;  ///< sign of the part's rotation in the hole that tightens, about +z of the hole
  double onPart_;      ///< 1 if `moved_` is the part, else −1
  std::optional<physics::Quaterniond> last_;  ///< of the part in the hole's frame
  double lastTime_ = 0, angle_ = 0;
  std::vector<Fit> fits_;         ///< of drivers in `moved_`
  std::vector<double> restarts_;  ///< times at which poses jump [s]
  std::vector<AngleTorque> points_;
};

}  // namespace tenon::runtime
