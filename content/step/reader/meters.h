// Points and vectors of OpenCASCADE, which uses millimeters here, in meters.
#pragma once

#include <gp_Pnt.hxx>

#include "physics/math/pose.h"

namespace tenon::content {

inline constexpr double kMillimetersPerMeter = 1000;

inline physics::Vector3d inMeters(const gp_XYZ& p) {
  return physics::Vector3d(p.X(), p.Y(), p.Z()) / kMillimetersPerMeter;
}

}  // namespace tenon::content
