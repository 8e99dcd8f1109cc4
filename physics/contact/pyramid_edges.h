// Edges of the pyramid that approximates Coulomb's friction cone in Lemke's method.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>

namespace tenon::physics {

inline constexpr int kPyramidEdges = 8;

/// Unit vectors in the tangent plane at equal angles, as columns: the pyramid lies inside the cone, at most 8
/// % below it between two edges.
inline Eigen::Matrix<double, 2, kPyramidEdges> pyramidEdges() {
  Eigen::Matrix<double, 2, kPyramidEdges> edges;
  for (int i = 0; i < kPyramidEdges; ++i) {
    const double angle = 2 * std::numbers::pi * i / kPyramidEdges;
    edges.col(i) << std::cos(angle), std::sin(angle);
  }
  return edges;
}

}  // namespace tenon::physics
