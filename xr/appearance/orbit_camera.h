// A camera that a mouse leads round a point.
#pragma once

#include <span>

#include "xr/appearance/fit_view.h"
#include "xr/view.h"

namespace tenon::xr {

/// Looks at a pivot from a distance, upright. Shares are fractions of the picture's height.
class OrbitCamera {
 public:
  /// Turns to look from `from` (as directionOf() has it), keeping pivot and distance.
  void lookFrom(const physics::Vector3d& from);
  /// Comes as near to `points` as shows all of them, and turns about their middle from now on. Nothing
  /// without points.
  void frame(std::span<const physics::Vector3d> points, double aspect);
  /// By shares of the picture: half of its height is a quarter turn.
  void orbit(double across, double down);
  /// The pivot's plane follows the mouse.
  void pan(double across, double down);
  /// Nearer by so many notches of a wheel, towards what is at (x, y) of the picture, fractions from its top
  /// left corner.
  void zoom(double notches, double x, double y, double aspect);

  View view(double aspect) const;
  const physics::Vector3d& pivot() const { return pivot_; }
  double distance() const { return distance_; }  ///< [m]
  double azimuth() const { return azimuth_; }    ///< of the camera about the pivot, from +x towards +y [rad]
  double elevation() const { return elevation_; }  ///< [rad]

 private:
  physics::Vector3d direction() const;

  physics::Vector3d pivot_ = physics::Vector3d::Zero();
  double distance_ = 0.5, azimuth_ = -2.034, elevation_ = 0.572;  ///< "iso"
};

}  // namespace tenon::xr
