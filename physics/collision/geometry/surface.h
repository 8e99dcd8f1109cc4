// The surface of a face: a plane, cylinder, cone, sphere or torus, or patches of a free-form surface.
#pragma once

#include <memory>

#include "physics/math/rigid_transform.h"

namespace tenon::physics {

namespace brep {
class FreeformSurface;
}

enum class SurfaceKind : char { plane, cylinder, cone, sphere, torus, freeform };

/// A surface about the z axis of its frame. Its distances are positive outside of the solid that it bounds.
struct Surface {
  SurfaceKind kind = SurfaceKind::plane;  ///< Which of the fields below it uses.
  /// Pose of the surface in the frame of the solid: origin on the plane, on the axis, or at the center.
  RigidTransform X_BS;
  double radius = 0;  ///< of cylinder and sphere; of a cone at z = 0; of a torus that of its circle [m]
  double minor = 0;   ///< of the tube of a torus [m]
  double slope = 0;   ///< of a cone, dr/dz [-]
  /// 1: material below the plane or inside; −1: above the plane or outside (a hole). Of a free-form surface,
  /// 1: on the side that its normals leave.
  double side = 1;
  std::shared_ptr<const brep::FreeformSurface>
      freeform;    ///< the patches of a free-form surface, in its frame
  int patch = -1;  ///< the only one of them; −1: all

  /// True for planes and for surfaces around a cavity without a convex direction.
  bool bulgesNowhere() const {
    return kind == SurfaceKind::plane ||
           (side < 0 && kind != SurfaceKind::torus && kind != SurfaceKind::freeform);
  }
};

}  // namespace tenon::physics
