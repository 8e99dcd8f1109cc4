// Random assemblies of boxes, some with a round hole, and pegs, with a known order; and when they overlap, in
// closed form. Never calls the engine.
#pragma once

#include <Eigen/Geometry>

#include <cstdint>
#include <vector>

namespace tenon::tests {

/// A cuboid along the axes, or a cylinder about z. All lengths in meters, in the frame of the assembly.
struct AssemblyElement {
  Eigen::AlignedBox3d box;  ///< the cuboid, or the bounds of the cylinder
  double pegRadius = 0;     ///< of the cylinder; 0: a cuboid
  double holeRadius = 0;    ///< of a through hole along z in the middle of the cuboid; 0: none
};

/// Part 0 is the base; each later part was inserted along a straight line with all earlier ones in place.
struct RandomAssembly {
  std::vector<AssemblyElement> parts;
  std::vector<Eigen::Vector3d> insertions;  ///< directions; that of the base means nothing
};

/// `count` parts; the same seed gives the same assembly.
RandomAssembly randomAssembly(std::uint32_t seed, int count);

/// Depth by which `a`, moved by `shift`, overlaps `b` [m]: the smaller of those along z and across it; 0:
/// they do not overlap. No cuboid of randomAssembly() fits into a hole.
double overlapOf(const AssemblyElement& a, const Eigen::Vector3d& shift, const AssemblyElement& b);

}  // namespace tenon::tests
