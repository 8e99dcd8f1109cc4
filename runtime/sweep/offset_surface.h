// A surface around a swept volume: dual contouring of a level of the distance on an octree.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "content/mesh/triangle_mesh.h"
#include "runtime/sweep/swept_distance.h"

namespace tenon::runtime {

/// Extracts the surface at which the distance from the volume is `level`, from cells that are refined where
/// the caller says so. One vertex a cell, at the least squares point of the tangent planes where the level
/// crosses edges of cells; one polygon for each edge that the level crosses (T. Ju, F. Losasso, S. Schaefer
/// and J. Warren, Dual contouring of Hermite data, SIGGRAPH 2002). Every edge of the mesh belongs to an even
/// number of triangles, also between cells of different sizes.
class OffsetSurface {
 public:
  /// Borrows `distance`. `level`: the surface's distance, `finest`: about the smallest cell [m].
  OffsetSurface(SweptDistance& distance, double level, double finest);

  /// A mesh, and the cells of each vertex.
  struct Surface {
    content::TriangleMesh mesh;  ///< counter-clockwise seen from outside, world [m]
    std::vector<int> cells;      ///< by vertex
  };
  Surface extract();

  /// Divides the cells that the volume or its surface may meet until they are at most this large [m].
  void refineTo(double size);
  /// Divides a cell; false if it is one of the smallest.
  bool divide(int cell);

  /// Edge of the cube of all cells [m].
  double size() const { return unit_ * (1 << levels_); }
  std::size_t cellCount() const { return cells_.size(); }

 private:
  using Index = std::array<int, 3>;  ///< in units, of a corner
  struct Cell {
    Index at;             ///< lowest corner
    int size = 0;         ///< [units]
    int child = -1;       ///< the first of eight; −1: a leaf
    int corners = 0;      ///< bit k: corner k is inside; bits of k: x, y, z
    bool isAway = false;  ///< the level does not pass
  };
  /// Where the level crosses an edge of a cell.
  struct Crossing {
    physics::Vector3d p, n;
  };
  /// Tangent planes at a cell.
  struct Planes {
    physics::Matrix3d AtA = physics::Matrix3d::Zero();
    physics::Vector3d Atb = physics::Vector3d::Zero(), sum = physics::Vector3d::Zero();
    int count = 0;
  };

  physics::Vector3d position(const Index& corner) const;
  bool isInside(const Index& corner);
  Cell makeCell(const Index& at, int size);
  int leafAt(const Index& unit) const;
  void addEdges(int cell, std::vector<std::array<int, 4>>& polygons);
  std::array<int, 4> cellsAround(const Index& start, int axis, int size) const;
  const Crossing& crossing(const Index& start, int axis, int size, bool startInside);
  physics::Vector3d vertexOf(const Cell& cell, const Planes& planes);

  SweptDistance& distance_;
  double level_, unit_;
  int levels_;
  physics::Vector3d origin_;
  std::vector<Cell> cells_;
  std::unordered_map<std::uint64_t, bool> inside_;         ///< by corner
  std::unordered_map<std::uint64_t, Crossing> crossings_;  ///< by edge
  std::map<int, Planes> planes_;                           ///< by cell, of the present extraction
};

}  // namespace tenon::runtime
