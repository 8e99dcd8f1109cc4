// What a CAD file says of the surfaces that triangles were made of.
#pragma once

#include <vector>

#include "physics/body/mass_properties.h"
#include "physics/math/pose.h"

namespace tenon::content {

using physics::Vector3d;

/// The surface of a face. What is not one of the first four is known by its triangles alone.
struct CadSurface {
  enum class Kind { plane, cylinder, cone, revolved, other };
  Kind kind = Kind::other;
  Vector3d origin = Vector3d::Zero();  ///< on the plane or the axis [m]
  Vector3d axis = Vector3d::UnitZ();   ///< unit: a plane's normal, to either side; else the axis
  double radius = 0;                   ///< of a cylinder or cone at the origin [m]
  double slope = 0;                    ///< of a cone: how its radius grows along the axis
  double deviation = 0;                ///< how far its triangles may lie off it [m]
};

struct CadFaces {
  std::vector<CadSurface> surfaces;
  std::vector<int> surfaceOf;  ///< of each triangle of the mesh, as it came
  /// Of the solid by its true surfaces, at 1 kg/m³; mass 0 where it has no inside.
  physics::MassProperties solid;
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();  ///< bounds of the true surfaces [m]
};

}  // namespace tenon::content
