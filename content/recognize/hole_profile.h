// Profiles and triangles of chains, shared by chain_shapes.cpp and boundary_surfaces.cpp.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "content/recognize/chain_shapes.h"

namespace tenon::content {

/// Thinner walls and smaller radii are ignored [m].
inline constexpr double kMinWall = 1e-6;

/// The frame of an axis.
physics::Pose poseOf(const Axis& axis);

/// The point of an axis at a height [m].
Vector3d pointOnAxis(const Axis& axis, double height);

const ProfileChain& chainOf(const RecognitionInput& input, int group, int chain);

/// Marks all triangles of a chain.
void markTriangles(const RevolvedGroup& group, const ProfileChain& chain, std::vector<char>& marks);

/// The marks of the triangles of one chain.
std::vector<char> trianglesOfChain(const RecognitionInput& input, int group, int chain);

/// Profile (z, r) from the bottom up, closed at the planes it ends on.
std::vector<Eigen::Vector2d> solidProfile(const ProfileChain& chain);

/// Profile (z, r) of a hole from the mouth (z = 0) down; `upwards`: the mouth faces +z of the axis.
struct HoleProfile {
  std::vector<Eigen::Vector2d> points;
  double mouth = 0;  ///< height on the axis [m]
  bool upwards = true, through = false;
  int face = -1;
  double radius() const {
    double largest = 0;
    for (const Eigen::Vector2d& p : points) largest = std::max(largest, p.y());
    return largest;
  }
  double depth() const {
    double low = 0;
    for (const Eigen::Vector2d& p : points) low = std::min(low, p.x());
    return -low;
  }
};

/// The hole of a chain; empty if it is not a hole. Of two mouths, the one on the positive side is used.
std::optional<HoleProfile> holeProfile(const RevolvedGroup& group, const ProfileChain& chain);

}  // namespace tenon::content
