// A person's room in the world of a scene, which may look larger than it is.
#pragma once

#include "physics/math/pose.h"
#include "runtime/vr/placement.h"

namespace tenon::runtime {

/// The room S (metres, y up) in the world W (z up). A metre of the world is `scale` metres of the room: a
/// point p of the room is at X_WS · (p / scale).
struct Room {
  static constexpr double kSmallest = 1, kLargest = 10;  ///< scales

  physics::Pose X_WS;
  double scale = 1;

  /// Where in the world that is, or whoever is there: what is done there is done in the world's own metres.
  physics::Vector3d inWorld(const physics::Vector3d& p_S) const { return X_WS * (p_S / scale); }
  physics::Pose inWorld(const physics::Pose& X_S) const { return X_WS * physics::Pose{X_S.q, X_S.p / scale}; }
  physics::Vector3d inRoom(const physics::Vector3d& p_W) const { return scale * (X_WS.inverse() * p_W); }
};

/// A box of the world as large as it looks in the room.
Eigen::AlignedBox3d scaledBox(const Eigen::AlignedBox3d& parts, double scale);

/// As placeRoom() sets down a scene that is so much larger.
Room placedRoom(const physics::Pose& X_SHead, const Eigen::AlignedBox3d& parts, const Table& table,
                double headHeight, double scale);

/// The same with another scale: what is at this place of the room stays there.
Room rescaledRoom(const Room& room, const physics::Vector3d& p_S, double scale);

/// The room when the world has gone up by so much of it [m].
Room raisedRoom(const Room& room, double height);

/// The room when who was at one place of it is at another one, as high as before.
Room walkedRoom(const Room& room, const physics::Vector3d& from_S, const physics::Vector3d& to_S);

}  // namespace tenon::runtime
