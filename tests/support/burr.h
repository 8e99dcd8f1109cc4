// Burrs of six pieces on a grid, and whether they come apart, by moves of voxels. Never calls the engine.
#pragma once

#include <Eigen/Geometry>

#include <cstdint>
#include <vector>

namespace tenon::tests {

/// Cells of a grid of unit size: (x, y, z) is the cube from there to (x + 1, y + 1, z + 1).
using Voxels = std::vector<Eigen::Vector3i>;

/// Six bars of 2 × 2 × 6 cells, two along each axis, that share the cells in the middle at random; the first
/// one is whole: the key. All are connected. The same seed gives the same burr.
std::vector<Voxels> randomBurr(std::uint32_t seed);

/// Disjoint boxes of these cells, whose outer faces are further in by `gap`; smaller than half a cell.
std::vector<Eigen::AlignedBox3d> boxesOf(const Voxels& voxels, double gap = 0);

/// True if the pieces come apart by moves of whole cells, several of them together where they block each
/// other.
bool comesApart(const std::vector<Voxels>& pieces);

/// True if one straight move takes out a piece, or several together.
bool comesApartStraight(const std::vector<Voxels>& pieces);

}  // namespace tenon::tests
