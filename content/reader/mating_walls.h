// The walls by which a part is guided in another one, and their nominal sizes.
#pragma once

#include <vector>

#include "content/model/scene.h"

namespace tenon::content {

/// A wall of the part and one of the part `into` that lie on one another.
struct MatingWall {
  std::vector<int> part, into;  ///< triangles of both solids
  /// A cylinder that continues planes smoothly, and moves with them: it has no size of its own.
  bool isRounding = false;
  FitSize kind = FitSize::width;
  double size = 0;                    ///< nominal [m]
  bool isPartInner = false;           ///< the wall of the part is that of an opening: a bore, a groove
  Vector3d place = Vector3d::Zero();  ///< on the wall, in the frame of `into` [m]
};

/// Faces closer than this lie on one another: the tolerance of CAD systems [m].
inline constexpr double kOnWall = 1e-7;

/// The walls of two solids, the part at X_IP in the frame of `into`, that are parallel to `along` (unit, in
/// that frame): planes and cylinders. Faces across the way, on which the part ends, do not count.
/// ISO 286-1 applies to two kinds of features of size: cylinders, and two parallel opposite planes. The
/// opposite plane of a wall is the nearest of the walls that lies beside it: behind the material of the part
/// or, where that or more of the other walls require it, behind the opening of the part.
std::vector<MatingWall> matingWalls(const physics::BoundarySolid& part, const physics::BoundarySolid& into,
                                    const Pose& X_IP, const Vector3d& along);

}  // namespace tenon::content
