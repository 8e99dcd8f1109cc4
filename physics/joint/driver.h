// Drivers: hex keys and wrench sockets that turn screws by a hexagon in or around their heads.
//
// A driver at a hexagon is guided by a cylindrical joint along the axis of the hexagon, which
// takes the place of the contacts between the two bodies. A driver that does not fit stands on
// the mouth and turns freely; so does one that fits, until the hexagons point alike. Then it is engaged, with
// the limits of one hexagon in another:
//     travel ≥ −depth     the bottom of the socket, or the top of the head in a wrench socket,
//     |θ − t| ≤ play      the flats: inside the play nothing is transmitted, at its ends any torque.
// So it slides freely along the axis, and nothing holds it in place but its weight and the hand. It is
// uncoupled as soon as it is drawn off along the axis.
//
// t is the angle of the part that meets the hexagon against the handle: 0 but for a ratchet and a torque
// limit. With a ratchet t follows the handle where that turns back (stepless, as with rollers). Where the
// torque of a step exceeds the limit, the step is solved again with the limit as a given torque in place of
// the flats; then the handle turns freely by kClickAngle, and engages again.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "physics/math/ids.h"
#include "physics/math/pose.h"

namespace tenon::physics {

/// Play of a hexagon in another one that is 1 % wider, as a 6 mm key in a socket of 6.06 mm (ISO 4762: 6.02
/// mm to 6.14 mm): cos(30° − play) = 1.01 cos 30° [rad].
inline constexpr double kHexagonPlay = 0.01760;
/// Largest tilt between the axes at which a driver is coupled [rad]: 10°, twice that of a driver held by eye.
inline constexpr double kDriverTilt = std::numbers::pi / 18;
/// Largest distance between the axes, relative to the width across flats [-]: there the corners of the tip,
/// with their chamfer, still overlap the mouth.
inline constexpr double kDriverOffset = 0.25;
/// Largest difference of the angles of the two hexagons [rad]: 5°, what a chamfered tip turns to fall into
/// place. A driver that meets a head at another angle stands on it until it is turned, by 55° at most.
inline constexpr double kDriverAngle = std::numbers::pi / 36;
/// A driver is coupled below this height of its tip above the mouth, and uncoupled above the other one [m].
inline constexpr double kDriverOn = 1e-3, kDriverOff = 2e-3;
/// Time in which the offset, the tilt and the angle at which a driver was coupled become 0; the tip stays
/// above the mouth until then [s].
inline constexpr double kDriverClosing = 0.05;
/// Free rotation of the handle after a click [rad]: 15°.
inline constexpr double kClickAngle = std::numbers::pi / 12;

/// Width across flats and kind of a hexagon. A key fits a socket of the same width, a socket a head.
struct HexagonSize {
  double width = 0;         ///< nominal, across flats [m]
  bool isInternal = false;  ///< a socket
};

/// True if a hexagon goes into the other one.
inline bool fits(const HexagonSize& a, const HexagonSize& b) {
  return a.isInternal != b.isInternal && std::abs(a.width - b.width) < 1e-6;
}

/// A hexagon of a screw or a nut.
struct HexagonDescription {
  BodyId body;       ///< that has it
  Pose X_PH;         ///< mouth (or end face) in the part's frame: z out of the part, x through a corner
  HexagonSize size;  ///< of it
  double depth = 0;  ///< to which a driver goes in or over it [m]
};

/// A key or a wrench socket.
struct DriverDescription {
  BodyId body;       ///< dynamic
  Pose X_PT;         ///< tip in the part's frame: z into the tool, x through a corner
  HexagonSize size;  ///< of the tip
  double torqueLimit = std::numeric_limits<double>::infinity();  ///< above it, it clicks [N m]
  bool ratchet = false;  ///< turns back freely, counter-clockwise seen along z of the tip
};

/// A driver at the end of a step.
struct DriverState {
  BodyId body;        ///< the driver
  BodyId screw;       ///< the body to which it is coupled; invalid: none
  BodyId misfit;      ///< the body at whose hexagon it stands and that it does not fit; invalid: none
  HexagonSize size;   ///< of the driver
  HexagonSize head;   ///< of the hexagon of `screw` or `misfit`
  double torque = 0;  ///< on the screw, positive clockwise seen from outside [N m]
  Vector3d axis = Vector3d::UnitZ();  ///< out of the screw, world
  int clicks = 0;                     ///< since time 0
};

}  // namespace tenon::physics
