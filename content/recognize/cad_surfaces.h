// The exact surfaces of a triangulated CAD model.
#pragma once

#include <vector>

#include "physics/body/mass_properties.h"
#include "physics/math/pose.h"

namespace tenon::content {

using physics::Vector3d;

/// The surface of a face. `other`: only its triangles are available.
struct CadSurface {
  enum class Kind { plane, cylinder, cone, revolved, other };
  Kind kind = Kind::other;
  Vector3d origin = Vector3d::Zero();  ///< on the plane or the axis [m]
  Vector3d axis = Vector3d::UnitZ();   ///< unit: normal of a plane, of either sign; else the axis
  double radius = 0;                   ///< of a cylinder, or of a cone at the origin [m]
  double slope = 0;                    ///< of a cone: change of radius per length along the axis [-]
  double deviation = 0;                ///< largest distance of its triangles from the surface [m]
};

struct CadFaces {
  std::vector<CadSurface> surfaces;
  std::vector<int> surfaceOf;  ///< index of the surface of each triangle of the original mesh
  /// Of the exact solid, at 1 kg/m³; mass 0 if the model is not a solid.
  physics::MassProperties solid;
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();  ///< bounds of the exact surfaces [m]
};

}  // namespace tenon::content
