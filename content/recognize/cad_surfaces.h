// The exact surfaces of a triangulated CAD model.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "physics/body/mass_properties.h"
#include "physics/collision/brep/freeform.h"
#include "physics/collision/geometry/surface.h"
#include "physics/math/pose.h"

namespace tenon::content {

using physics::Vector3d;

/// The surface of a face. `revolved`: another surface of revolution; `freeform`: another one of which the
/// patches are known; `other`: only its triangles are available.
struct CadSurface {
  enum class Kind { plane, cylinder, cone, sphere, torus, revolved, freeform, other };
  Kind kind = Kind::other;
  Vector3d origin = Vector3d::Zero();  ///< on the plane or the axis; center of a sphere or torus [m]
  Vector3d axis = Vector3d::UnitZ();   ///< unit: normal of a plane, of either sign; else the axis
  double radius = 0;                   ///< of cylinder, sphere, cone at the origin, or circle of a torus [m]
  double slope = 0;                    ///< of a cone: change of radius per length along the axis [-]
  double deviation = 0;                ///< largest distance of its triangles from the surface [m]
  double minor = 0;                    ///< of a torus: radius of its tube [m]
  /// Of `freeform`, and of `revolved` if its patches are known.
  std::shared_ptr<const physics::brep::FreeformSurface> freeform;

  /// True if its profile is not one straight line.
  bool hasCurvedProfile() const {
    return kind == Kind::revolved || kind == Kind::sphere || kind == Kind::torus;
  }
};

/// The surface of a CAD file as that of a face, with side 1; empty where only triangles are available.
std::optional<physics::Surface> surfaceOfCad(const CadSurface& cad);

/// A frame at `origin` with z along the unit `axis`.
physics::RigidTransform frameAt(const Vector3d& origin, const Vector3d& axis);

/// A point of the exact surface above the inside of a triangle.
struct SurfacePoint {
  Vector3d p = Vector3d::Zero();  ///< [m]
  int triangle = 0;               ///< of the original mesh
};

struct CadFaces {
  std::vector<CadSurface> surfaces;
  std::vector<int> surfaceOf;  ///< index of the surface of each triangle of the original mesh
  /// Of curved faces: above the centers of the triangles and the middles of their edges.
  std::vector<SurfacePoint> points;
  /// Of the exact solid, at 1 kg/m³; mass 0 if the model is not a solid.
  physics::MassProperties solid;
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();  ///< bounds of the exact surfaces [m]
};

}  // namespace tenon::content
