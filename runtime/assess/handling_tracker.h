// Follows the hands of a session through its keyframes, and notes what each did with each part (handling.h).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/entry_region.h"
#include "runtime/assess/handling.h"
#include "runtime/assess/keyframe.h"
#include "runtime/assess/session_event.h"

namespace tenon::runtime {

/// Lengths of paths count displacements of at least kPathStep, turns those of at least kTurnStep: tremor of a
/// hand and noise of its tracking add nothing, and a path without such a displacement is 0. Fixtures are no
/// hands of a person and are left out.
class HandlingTracker {
 public:
  static constexpr double kPathStep = 5e-3;  ///< [m]
  static constexpr double kTurnStep = 0.05;  ///< [rad]
  static constexpr double kInside = 1e-3;    ///< depth of the tip from which a part is inside a hole [m]
  static constexpr double kLeave = 0.02;  ///< distance of the tip from the place of a pose that it left [m]

  /// `world`: built from the scene. Both must outlive this.
  HandlingTracker(const content::Scene& scene, const physics::World& world);

  /// Events before the keyframes with later times; keyframes in the order of their times.
  void add(const SessionEvent& event);
  void add(const Keyframe& frame);

  /// Those so far, in the order of the grasps. Open ones have no end.
  std::vector<Handling> results() const;

 private:
  struct Track {
    bool isPerson = true;  ///< false for a fixture
    bool isKnown = false;  ///< the poses are those of an earlier keyframe
    std::optional<std::size_t> handling;
    physics::Vector3d counted = physics::Vector3d::Zero();  ///< end of the counted path
    physics::Vector3d last = physics::Vector3d::Zero();     ///< in the last keyframe
    physics::Quaterniond start =
        physics::Quaterniond::Identity();  ///< at the grasp or the end of the last stay
    physics::Quaterniond turned = physics::Quaterniond::Identity();  ///< up to which turns are counted
    physics::Quaterniond lastTurn = physics::Quaterniond::Identity();
    double path = 0;  ///< since the grasp or the release [m]
    double length() const { return path > 0 ? path + (last - counted).norm() : 0; }
  };
  struct DriverFit {
    int driver = -1, screw = -1;
    double from = 0;
    std::optional<double> until;
  };

  void move(Track& track, const physics::Pose& X_WH) const;
  void grasp(int hand, Track& track, int part, const Keyframe& frame);
  void release(Track& track, double time);
  bool isAt(std::size_t goal, const physics::Pose& X_WI, const physics::Pose& X_WP, bool wasThere) const;
  void follow(Track& track, const Keyframe& frame);
  void followGoal(std::size_t goal, Track& track, Handling& handling, const Keyframe& frame);
  void followDriver(Track& track, Handling& handling, const Keyframe& frame);
  Stay* openStay(Handling& handling, int goal) const;
  Stay& begin(Track& track, Handling& handling, int goal, int screw, double time) const;
  void leave(Track& track, Handling& handling, Stay& stay) const;
  void turn(Track& track, Stay& stay, const physics::Vector3d& axis_W) const;
  bool hasJumped(double time) const;
  std::optional<int> screwOf(int driver, double time) const;
  physics::Pose partPose(int part, const Keyframe& frame) const;

  const content::Scene& scene_;
  const physics::World& world_;
  std::vector<EntryRegion> mouths_;            ///< by goal
  std::vector<std::optional<double>> seated_;  ///< by goal: the last time [s]
  std::vector<double> jumps_;                  ///< times of undo, redo and reset [s]
  std::vector<DriverFit> fits_;
  std::vector<Track> tracks_;  ///< by hand
  std::vector<Handling> handlings_;
  double lastTime_ = -1;
};

}  // namespace tenon::runtime
