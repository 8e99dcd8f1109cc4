// See hole_section.h.
#include "runtime/report/hole_section.h"

#include <cmath>

#include "xr/appearance/fit_view.h"

namespace tenon::runtime {

HoleSection sectionThrough(const physics::Pose& X_WH, const physics::Vector3d& along) {
  const physics::Vector3d axis = X_WH.q * physics::Vector3d::UnitZ();
  const physics::Vector3d front = *xr::viewDirection("front"), side = *xr::viewDirection("right");
  physics::Vector3d wanted = std::abs(axis.dot(front)) < 0.9 ? front : side;
  const physics::Vector3d across = axis.cross(along);
  if (across.norm() > 0) wanted = across.dot(wanted) < 0 ? -across : across;
  HoleSection section;
  section.plane.normal = (wanted - axis.dot(wanted) * axis).normalized();
  section.plane.offset = section.plane.normal.dot(X_WH.p);
  section.from = (section.plane.normal + 0.35 * axis).normalized();
  return section;
}

}  // namespace tenon::runtime
