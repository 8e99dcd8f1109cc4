// The faces of two parts that lie on one another.
#pragma once

#include <vector>

#include "content/recognize/solid_faces.h"

namespace tenon::content {

/// Two faces that face each other: planes with opposite normals, or a convex and a concave cylinder or cone
/// about one axis.
struct ConformingFaces {
  int a = -1, b = -1;  ///< indices of the faces
  double gap = 0;      ///< mean distance along the normal [m]; negative: they overlap
  double area = 0;     ///< of the part of them that faces each other [m²]
  /// Outward unit normals of A there, in the frame of A: that of a plane, else from one end of each arc to
  /// the other, at most 5° apart.
  std::vector<Vector3d> normals;
};

/// Planes with a smaller sine of the angle between them may conform [-]: flanks drawn with other clearances
/// at their heads and feet. Axes of round faces, and slopes of cones, are equal to within kSameAxisSine [-].
inline constexpr double kConformingSine = 0.01, kSameAxisSine = 1e-5;

/// All pairs of a face of part A and one of part B, at the pose X_AB of B in A, of which a hundredth of the
/// smaller one is common area, where their gap, and that of their axes, is nowhere larger than `tolerance`
/// [m] in size. Ordered by a, then b.
std::vector<ConformingFaces> conformingFaces(const std::vector<SolidFace>& a, const std::vector<SolidFace>& b,
                                             const physics::Pose& X_AB, double tolerance);

}  // namespace tenon::content
