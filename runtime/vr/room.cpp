// Transforms of the room.
#include "runtime/vr/room.h"

namespace tenon::runtime {

using physics::Vector3d;

Eigen::AlignedBox3d scaledBox(const Eigen::AlignedBox3d& parts, double scale) {
  return parts.isEmpty() ? parts : Eigen::AlignedBox3d(scale * parts.min(), scale * parts.max());
}

Room placedRoom(const physics::Pose& X_SHead, const Eigen::AlignedBox3d& parts, const Table& table,
                double headHeight, double scale) {
  Room room{placeRoom(X_SHead, scaledBox(parts, scale), table, headHeight), scale};
  room.X_WS.p /= scale;
  return room;
}

Room rescaledRoom(const Room& room, const Vector3d& p_S, double scale) {
  Room out{room.X_WS, scale};
  out.X_WS.p = room.inWorld(p_S) - room.X_WS.q * (p_S / scale);
  return out;
}

Room raisedRoom(const Room& room, double height) {
  Room out = room;
  out.X_WS.p.z() -= height / room.scale;
  return out;
}

Room walkedRoom(const Room& room, const Vector3d& from_S, const Vector3d& to_S) {
  Vector3d displacement = to_S - from_S;
  displacement.y() = 0;
  Room out = room;
  out.X_WS.p += room.X_WS.q * (displacement / room.scale);
  return out;
}

}  // namespace tenon::runtime
