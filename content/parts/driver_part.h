// Drivers: keys and wrench sockets that turn screws by their hexagons.
#pragma once

#include "content/input/json_cursor.h"
#include "content/parts/display_mesh.h"
#include "content/parts/library_part.h"
#include "content/parts/standard_tables.h"

namespace tenon::content {

/// Regular hexagon about the origin with a corner on x [unit of `acrossFlats`].
Polygon hexagon(double acrossFlats);
/// Prism over a polygon [m].
physics::Hull prism(const Polygon& polygon, double z0, double z1);

/// The angled key of ISO 2936, without torque limit and ratchet: tip of the short arm in the origin, that arm
/// along z, the long one along x. Its bend of radius 1.5 s is six prisms.
LibraryPart hexKey(const KeySize& size);

/// A driver with a handle along z, tip in the origin: "bit" key or socket, "width" across flats, "length",
/// "torque_limit_nm", "ratchet". For collision the corners of a socket are filled, as in the heads of screws:
/// a round bore of its width across flats. Throws InputError, also for a width that no screw of the library
/// has.
LibraryPart readDriver(const JsonCursor& at);

/// Dimensions of a driver without a "length" of its own [m].
struct DriverSize {
  double shankRadius = 0;
  double length = 0, handleLength = 0;  ///< of all, and of the handle at its end
};
DriverSize driverSize(const physics::HexagonSize& turned);

}  // namespace tenon::content
