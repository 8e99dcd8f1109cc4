// Axis-aligned bounds of a shape in its own frame.
#pragma once

#include <Eigen/Geometry>

#include "physics/collision/geometry/shape.h"

namespace tenon::xr {

/// The smallest box along the axes of the shape's frame that contains `shape` [m]; exact for every type.
/// Unbounded below for a half-space; empty for a compound without children.
Eigen::AlignedBox3d boundsOf(const physics::Shape& shape);

/// Finds the nearest of several parts; of equally near parts the first.
class NearestPart {
 public:
  /// Considers only parts within `maxDistance` [m].
  explicit NearestPart(double maxDistance) : minDistance_(maxDistance) {}

  /// Compares a part with the nearest so far; `box` is in its frame.
  void consider(int part, const Eigen::AlignedBox3d& box, const physics::Pose& X_WP,
                const physics::Vector3d& p_W) {
    const double distance = box.exteriorDistance(X_WP.inverse() * p_W);
    if (distance > minDistance_ || (part_ >= 0 && distance == minDistance_)) return;
    minDistance_ = distance;
    part_ = part;
  }
  /// Index of the nearest part; −1: none within the distance.
  int part() const { return part_; }

 private:
  double minDistance_;
  int part_ = -1;
};

}  // namespace tenon::xr
