// Placement of a scene in the user's room.
#pragma once

#include <Eigen/Geometry>

#include "physics/math/pose.h"

namespace tenon::runtime {

/// The table on which a scene stands.
struct Table {
  double height = 0.8;     ///< of its top above the floor [m]
  double distance = 0.55;  ///< of the scene center from the head, about an arm's length [m]
  double nearest = 0.3;    ///< minimum distance of the parts from the head [m]
};

/// The table height at which eyes that look straight ahead see `parts` [m]: 0.45 m below the eyes, or higher
/// if that is outside the field of view. `eyesHeight`: above the floor [m]; `down`: tangent of the lower
/// field of view angle, > 0.
double visibleTableHeight(const Eigen::AlignedBox3d& parts, const Table& table, double eyesHeight,
                          double down);

/// Horizontal distance of the center of `parts` from the head [m].
double centerDistance(const Eigen::AlignedBox3d& parts, const Table& table);

/// The horizontal direction in which the head looks, also when it looks straight down or up.
physics::Vector3d levelDirection(const physics::Pose& X_SHead);

/// The pose X_WS of the room S (meters, y up) in the scene's world W (z up). The scene's lowest point is on
/// the table, the center of its parts `table.distance` in front of the head (farther for large scenes), and
/// its y axis points away from the user. `headHeight`: assumed head height if the room has no floor origin
/// [m]; negative if it has one.
physics::Pose placeRoom(const physics::Pose& X_SHead, const Eigen::AlignedBox3d& parts, const Table& table,
                        double headHeight = -1);

}  // namespace tenon::runtime
