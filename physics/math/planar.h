// Vectors of a plane.
#pragma once

#include <Eigen/Core>

namespace tenon::physics {

/// The component across the plane of the cross product: positive where `b` lies counterclockwise of `a`.
inline double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

}  // namespace tenon::physics
