// How much room a part takes, in its own axes: what a hand reaches for and what a list of parts says.
#pragma once

#include <Eigen/Geometry>

#include "physics/collision/geometry/shape.h"

namespace tenon::xr {

/// The smallest box along the axes of the shape's frame that holds all of `shape` [m]; exact for
/// every kind. Unbounded below for a half-space; empty for a compound without children.
Eigen::AlignedBox3d boundsOf(const physics::Shape& shape);

/// The nearest of several parts; of equally near ones the first.
class NearestPart {
 public:
  /// Considers only parts within `maxDistance` [m].
  explicit NearestPart(double maxDistance) : minDistance_(maxDistance) {}

  /// The next part: its box, in its frame.
  void consider(int part, const Eigen::AlignedBox3d& box, const physics::Pose& X_WP,
                const physics::Vector3d& p_W) {
    const double distance = box.exteriorDistance(X_WP.inverse() * p_W);
    if (distance > minDistance_ || (part_ >= 0 && distance == minDistance_)) return;
    minDistance_ = distance;
    part_ = part;
  }
  /// -1: none is near enough.
  int part() const { return part_; }

 private:
  double minDistance_;
  int part_ = -1;
};

}  // namespace tenon::xr
