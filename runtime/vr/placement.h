// Where a scene stands in a person's room.
#pragma once

#include <Eigen/Geometry>

#include "physics/math/pose.h"

namespace tenon::runtime {

/// What a scene stands on, in a room.
struct Table {
  double height = 0.8;     ///< of its top, over the floor [m]
  double distance = 0.55;  ///< of the middle of the scene from the person, an arm's length [m]
  double nearest = 0.3;    ///< no part is nearer to the person than that [m]
};

/// Where a table of this distance shows `parts` to eyes that look level: its height over the floor [m]. As
/// high as a table is at which one stands or sits with eyes at `eyesHeight` over the floor [m], and higher
/// where the field of view ends above that; `down`: the tangent of its angle downwards, > 0.
double visibleTableHeight(const Eigen::AlignedBox3d& parts, const Table& table, double eyesHeight,
                          double down);

/// The room S (metres, y up) in the scene's world W (z up): the scene's lowest point is on the table, the
/// middle of its parts `table.distance` in front of the head, or further where it is large, and its y axis
/// points away from the person, who looks level along it. `headHeight`: where the room has no floor (the
/// head's height over the floor is not known then) it stands for that [m]; a value below 0: the room has one.
physics::Pose placeRoom(const physics::Pose& X_SHead, const Eigen::AlignedBox3d& parts, const Table& table,
                        double headHeight = -1);

}  // namespace tenon::runtime
