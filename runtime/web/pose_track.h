// The motion of one body as few bytes.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>

#include "physics/math/pose.h"
#include "runtime/web/number_track.h"
#include "runtime/web/stream_table.h"

namespace tenon::runtime {

/// Largest distance of a decoded point from the recorded one [m].
inline constexpr double kPoseAccuracy = 1e-6;

inline constexpr double kHandReach = 0.01;  ///< radius of the ball that marks a hand [m]

/// Steps in which poses are stored, so that every point of a body is within kPoseAccuracy of where it was.
struct PoseQuanta {
  double position = 0;  ///< of each coordinate [m]
  double rotation = 0;  ///< of each component of the unit quaternion
};

/// For a body whose points are at most `reach` [m] from the origin of its frame.
PoseQuanta poseQuantaFor(double reach);

/// The unit quaternion of a pose as (w, x, y, z), with the sign that continues `last`: q and −q are the same
/// rotation. A quaternion of length zero, from a damaged file, is no rotation.
Eigen::Vector4d continuedQuaternion(const physics::Quaterniond& q, const Eigen::Vector4d& last);

/// Poses in the world, one for each frame. Every point of the body, at most `reach` [m] from the origin of
/// its frame, is within kPoseAccuracy of where it was.
class PoseTrack {
 public:
  explicit PoseTrack(double reach);

  void add(const physics::Pose& X);
  /// Moves the bytes to `streams`; returns {"position", "rotation"}: numbers of their streams (x, y, z and
  /// w, x, y, z), and {"position_quantum_m", "rotation_quantum"}.
  nlohmann::json finish(StreamTable& streams) const;

 private:
  std::array<NumberTrack, 3> position_;
  std::array<NumberTrack, 4> rotation_;
  Eigen::Vector4d last_{0, 0, 0, 0};  ///< quaternion of the last frame
};

}  // namespace tenon::runtime
