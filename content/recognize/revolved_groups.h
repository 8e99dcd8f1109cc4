// Groups of regions with a common axis of revolution, and their chains of profile lines.
#pragma once

#include <vector>

#include "content/recognize/axis_fit.h"

namespace tenon::content {

/// The end of a chain of profile lines.
enum class ChainEnd {
  axis,    ///< on the axis
  face,    ///< at a plane perpendicular to the axis that extends beyond the circle
  open,    ///< at an open edge of the mesh
  closed,  ///< at its own start: a ring
  other,   ///< at a surface that is not a surface of revolution about this axis
};

/// A sequence of profile lines; adjacent ones meet in a full circle.
struct ProfileChain {
  std::vector<int> lines;  ///< indices of lines of the group
  /// Corners (r, z) of the exact surface in the frame of the axis [m], one more than lines. Outer faces pass
  /// through the vertices of their facets; inner ones follow the BoreRule, with `flats` tangent to the facets
  /// like the largest pin that fits. The first point of a ring is also its last.
  std::vector<Eigen::Vector2d> points;
  ChainEnd begin = ChainEnd::other, end = ChainEnd::other;
  int beginFace = -1, endFace = -1;  ///< region of the plane at an end, else −1
  bool isInner = false;              ///< all lines but planes are bores
};

struct RevolvedGroup {
  Axis axis;
  std::vector<ProfileLine> lines;
  std::vector<int> regions;  ///< of the lines, including planes perpendicular to the axis
  std::vector<ProfileChain> chains;
};

/// Position of the exact surface of a bore.
enum class BoreRule {
  flats,     ///< tangent to the facets: the clear diameter of the mesh; see followsFlats()
  vertices,  ///< through the vertices: mostly the diameter in CAD
};

/// True for a bore whose surface is tangent to its facets. Facets of different widths are tangent to no
/// common circle: then the surface is through their vertices.
inline bool followsFlats(const ProfileLine& line, BoreRule rule) {
  return line.isInner() && rule == BoreRule::flats && line.rule != FacetRule::vertices;
}

/// Finds the chains of a group's lines. Bores that adjoin each other follow the same rule: through their
/// vertices if one of them does. `regionOf`: of each triangle.
void connectLines(const Facets& facets, const std::vector<int>& regionOf, BoreRule rule,
                  RevolvedGroup& group);

/// The region of each triangle.
std::vector<int> regionsOfTriangles(const Facets& facets, const std::vector<Region>& regions);

/// All groups, the largest first. Other regions belong to no group.
std::vector<RevolvedGroup> revolvedGroups(const Facets& facets, const std::vector<Region>& regions,
                                          BoreRule rule);

}  // namespace tenon::content
