// Hands that follow the waypoints of a scene.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "xr/hands/hand_source.h"

namespace tenon::xr {

/// Time of the last waypoint of all scripts [s]; none: no hand has a script.
std::optional<double> scriptEndTime(std::span<const content::Hand> hands);

/// Plays the scripts of a scene's hands. A sample depends on its time alone, whatever the order of calls.
///
/// - A hand is at its start pose at time 0. Between waypoints it moves by interpolatePose(), or rotates by
/// the
///   waypoint's rotation vector, and is exactly at a waypoint's pose at its time. A waypoint without a pose
///   keeps the previous one. After the last waypoint the hand stays.
/// - Grab and release apply from their waypoint's time on. Of several waypoints at one time the last one
/// applies.
/// - If one waypoint poses the hand and the next the held part (or the reverse), the start pose is converted
/// to the
///   frame of the end pose by the grip's offset: the sample has a FrameBlend, and the origin of that frame
///   moves along a line.
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
    int part = -1;  ///< index; −1: open
    std::optional<physics::Pose>
        X_WH_closed;  ///< pose of the hand when it closes, if the script poses the hand
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
