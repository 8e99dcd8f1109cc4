// The user's room relative to the world of a scene, with a display scale.
#pragma once

#include "physics/math/pose.h"
#include "runtime/vr/placement.h"

namespace tenon::runtime {

/// The room S (meters, y up) in the world W (z up). A meter of the world is displayed as `scale` meters of
/// the room: a room point p is at X_WS · (p / scale).
struct Room {
  static constexpr double kMinScale = 1, kMaxScale = 10;

  physics::Pose X_WS;
  double scale = 1;

  /// Room to world coordinates, in meters of the world.
  physics::Vector3d inWorld(const physics::Vector3d& p_S) const { return X_WS * (p_S / scale); }
  physics::Pose inWorld(const physics::Pose& X_S) const { return X_WS * physics::Pose{X_S.q, X_S.p / scale}; }
  physics::Vector3d inRoom(const physics::Vector3d& p_W) const { return scale * (X_WS.inverse() * p_W); }
};

/// A box of the world in displayed size.
Eigen::AlignedBox3d scaledBox(const Eigen::AlignedBox3d& parts, double scale);

/// placeRoom() for a scene displayed at `scale`.
Room placedRoom(const physics::Pose& X_SHead, const Eigen::AlignedBox3d& parts, const Table& table,
                double headHeight, double scale);

/// Changes the scale; the world point at `p_S` of the room keeps its position.
Room rescaledRoom(const Room& room, const physics::Vector3d& p_S, double scale);

/// The room after raising the world by `height` of the room [m].
Room raisedRoom(const Room& room, double height);

/// The room after moving the user horizontally from one point to another.
Room walkedRoom(const Room& room, const physics::Vector3d& from_S, const physics::Vector3d& to_S);

}  // namespace tenon::runtime
