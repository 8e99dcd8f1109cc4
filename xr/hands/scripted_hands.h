// Hands that follow the way-points of a scene.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "xr/hands/hand_source.h"

namespace tenon::xr {

/// When the last way-point of all scripts is [s]; none: no hand has a script.
std::optional<double> scriptEndTime(std::span<const content::Hand> hands);

/// Plays the scripts of a scene's hands. A sample depends on its instant alone, so samples may be
/// asked for in any order and always come out the same.
///
/// - A hand is at its start pose at time 0. From each way-point to the next it goes as interpolatePose()
///   says, or turns as the way-point says, and is exactly at a way-point's pose at its time. A way-point
///   without a pose is one where the hand still is where it was before. After the last it stays.
/// - A grab and a release count from their way-point's time on. Of several way-points at one time
///   the last decides the pose and what the hand holds.
/// - Where one way-point poses the hand and the next the held part (or the reverse), the start of
///   the way is turned into the frame of its end when the hand leaves, by the grip's offset: the
///   sample has a FrameBlend, and the origin of the frame of the end goes straight.
class ScriptedHands final : public HandSource {
 public:
  explicit ScriptedHands(std::span<const content::Hand> hands);

  void sample(std::int64_t time_ns, std::vector<HandSample>& samples) override;

 private:
  struct Key {
    std::int64_t time_ns = 0;
    physics::Pose X_W;
    bool posesPart = false;
    physics::Vector3d rotationVector = physics::Vector3d::Zero();  ///< as content::Waypoint's [rad]
  };
  struct Grip {
    std::int64_t time_ns = 0;
    int part = -1;                             ///< index; −1: open
    std::optional<physics::Pose> X_WH_closed;  ///< where the hand closes, if the script poses the hand
  };
  struct Track {
    std::vector<Key> keys;  ///< never empty, times never decrease
    std::vector<Grip> grips;
  };

  static Track trackOf(const content::Hand& hand);
  static HandSample sampleOf(const Track& track, std::int64_t time_ns);

  std::vector<Track> tracks_;
};

}  // namespace tenon::xr
