// A camera that orbits a point, controlled with a mouse.
#pragma once

#include <span>

#include "xr/appearance/fit_view.h"
#include "xr/view.h"

namespace tenon::xr {

/// Looks at a pivot from a distance, upright. Mouse motions are fractions of the image's height.
class OrbitCamera {
 public:
  /// Looks from direction `from` (as viewDirection() returns it), keeping pivot and distance.
  void lookFrom(const physics::Vector3d& from);
  /// Fits the view to `points` and moves the pivot to their center. Does nothing without points.
  void frame(std::span<const physics::Vector3d> points, double aspect);
  /// Half of the image's height is a quarter turn.
  void orbit(double across, double down);
  /// Moves the pivot in the plane parallel to the image, so that it follows the mouse.
  void pan(double across, double down);
  /// Moves closer by `notches` of a wheel, towards the point at (x, y) of the image, fractions from its top
  /// left corner.
  void zoom(double notches, double x, double y, double aspect);

  /// Orthographic: parallel lines of sight, and the same size of things near the pivot.
  void setOrthographic(bool on) { orthographic_ = on; }
  bool isOrthographic() const { return orthographic_; }

  View view(double aspect) const;
  const physics::Vector3d& pivot() const { return pivot_; }
  double distance() const { return distance_; }  ///< [m]
  double azimuth() const { return azimuth_; }    ///< of the camera about the pivot, from +x towards +y [rad]
  double elevation() const { return elevation_; }  ///< [rad]

 private:
  physics::Vector3d direction() const;

  physics::Vector3d pivot_ = physics::Vector3d::Zero();
  bool orthographic_ = false;
  double extent_ = 0;                                             ///< largest diagonal of framed points [m]
  double distance_ = 0.5, azimuth_ = -2.034, elevation_ = 0.572;  ///< "iso"
};

}  // namespace tenon::xr
