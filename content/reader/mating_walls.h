// The walls by which a part is guided in another one, and their nominal sizes.
#pragma once

#include <vector>

#include "content/model/scene.h"
#include "content/reader/face_topology.h"

namespace tenon::content {

/// A wall of the part and one of the part `into` that lie on one another.
struct MatingWall {
  std::vector<int> part, into;  ///< triangles of both solids
  /// A cylinder that continues planes smoothly on both parts, and moves with them: it has no own size.
  bool isRounding = false;
  FitSize kind = FitSize::width;
  double size = 0;                    ///< nominal [m]; 0: the wall alone makes no size
  bool isPartInner = false;           ///< the wall of the part is that of an opening: a bore, a groove
  Vector3d place = Vector3d::Zero();  ///< on the wall, in the frame of `into` [m]
};

/// Faces closer than this lie on one another: the tolerance of CAD systems [m].
inline constexpr double kOnWall = 1e-7;

/// A solid with its faces.
struct FacedSolid {
  const physics::BoundarySolid& solid;
  const FaceTopology& topology;
};

/// The walls of two solids, the part at X_IP in the frame of `into`, that are parallel to `along` (unit, in
/// that frame), the direction of insertion: planes and cylinders. Faces across it, on which the part ends, do
/// not count.
/// ISO 286-1 applies to two kinds of features of size: cylinders, and two parallel opposite planes. The
/// opposite plane of a wall is the nearest of the walls that lies beside it: behind the material of the part
/// or, where that or more of the other walls require it, behind the opening of the part.
/// Other planes have the extent across them of the walls of the same feature: of those that convex edges
/// along the path join to them on the part, or, in an opening of the part, concave ones; where these are
/// none, of all walls. A wall without any of these has the size 0.
std::vector<MatingWall> matingWalls(const FacedSolid& part, const FacedSolid& into, const Pose& X_IP,
                                    const Vector3d& along);

}  // namespace tenon::content
