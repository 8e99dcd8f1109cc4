// Measures of the convex hull of points.
#pragma once

#include <vector>

#include "physics/math/pose.h"

namespace tenon::content {

using physics::Vector3d;

/// Mean of points [m].
Vector3d vertexMean(const std::vector<Vector3d>& corners);

/// Volume of the hull [m³]. Throws std::invalid_argument for points in one plane.
double hullVolume(const std::vector<Vector3d>& points);

/// True if the hull is thinner than `thickness` [m] along the normal of one of its faces, or has no volume.
bool isThinnerThan(const std::vector<Vector3d>& corners, double thickness);

}  // namespace tenon::content
