// How far what collides is from what was given, in both directions.
#pragma once

#include "physics/math/pose.h"

namespace tenon::content {

using physics::Vector3d;

/// The largest distance in one direction and its position.
struct LargestDeviation {
  double distance = 0;                   ///< [m]
  Vector3d position = Vector3d::Zero();  ///< in the frame of the file [m]
};

/// Distances of samples of one surface from the other one: of a mesh as they are, the sagitta of facets
/// included; of a CAD file beyond the sagitta and gap at its borders.
struct DirectedDeviation {
  double largest = 0;                    ///< [m]
  double p99 = 0;                        ///< that of 99 % of the area is at most this [m]
  Vector3d position = Vector3d::Zero();  ///< of the largest, in the frame of the file [m]
  int triangle = -1;                     ///< of the repaired mesh, at the largest; −1: not measured
};

struct ShapeDeviation {
  LargestDeviation outside;           ///< of the shape outside the solid in the mesh
  LargestDeviation missing;           ///< of the solid in the mesh outside the shape
  double tolerance = 0;               ///< tolerance of the import for both [m]
  DirectedDeviation fromGiven{};      ///< of the given surface from the nearest colliding one
  DirectedDeviation fromColliding{};  ///< of the colliding surface from the nearest given one
  /// Largest distance of given corners from the round surface that collides, or in CAD files from where the
  /// surfaces of their faces meet: `outside` and `missing` are beyond it [m].
  double scatter = 0;
  Vector3d scatterPosition = Vector3d::Zero();  ///< of that corner, or of a mesh the middle of its triangle,
                                                ///< in the frame of the file [m]
  double spacing = 0;  ///< of the samples on large faces; small ones have some of their own [m]

  const LargestDeviation& largest() const { return missing.distance > outside.distance ? missing : outside; }
  bool exceeds(double times) const { return largest().distance > times * tolerance; }
};

/// A shape that deviates from its mesh by more than this multiple of the tolerance is rejected.
inline constexpr double kMaxDeviationRatio = 10;

}  // namespace tenon::content
