// See cad_surfaces.h.
#include "content/recognize/cad_surfaces.h"

namespace tenon::content {

physics::RigidTransform frameAt(const Vector3d& origin, const Vector3d& axis) {
  physics::RigidTransform X;
  const Vector3d x = axis.unitOrthogonal();
  X.R << x, axis.cross(x), axis;
  X.p = origin;
  return X;
}

std::optional<physics::Surface> surfaceOfCad(const CadSurface& cad) {
  using Kind = CadSurface::Kind;
  using physics::SurfaceKind;
  physics::Surface s;
  s.X_BS = frameAt(cad.origin, cad.axis);
  s.radius = cad.radius;
  switch (cad.kind) {
    case Kind::plane:
      s.kind = SurfaceKind::plane;
      return s;
    case Kind::cylinder:
      s.kind = SurfaceKind::cylinder;
      return s;
    case Kind::cone:
      s.kind = SurfaceKind::cone;
      s.slope = cad.slope;
      return s;
    case Kind::sphere:
      s.kind = SurfaceKind::sphere;
      return s;
    case Kind::torus:
      s.kind = SurfaceKind::torus;
      s.minor = cad.minor;
      return s;
    case Kind::revolved:
    case Kind::freeform:
    case Kind::other:
      break;
  }
  if (!cad.freeform) return std::nullopt;
  physics::Surface form;
  form.kind = SurfaceKind::freeform;
  form.freeform = cad.freeform;
  return form;
}

}  // namespace tenon::content
